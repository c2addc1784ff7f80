#!/usr/bin/env python3
"""Makes the tokenizers of these folders: small ones of every family, trained on the lessons' text.

Needs Debian's python3-sentencepiece and python3-regex. reference_ids.js then writes what the library of
Hugging Face makes of lines.txt with each tokenizer.json, and this script what SentencePiece makes of it with
each .spm.
"""
import base64
import collections
import json
import pathlib
import sys

import regex
import sentencepiece

HERE = pathlib.Path(__file__).resolve().parent
TOP = HERE.parents[2]
GPT2 = r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"
LLAMA3 = (r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*"
          r"|\s*[\r\n]+|\s+(?!\S)|\s+")
QWEN2 = LLAMA3.replace(r"\p{N}{1,3}", r"\p{N}")

LINES = [
    b"The animal didn't cross the street because it was too tired.",
    b"",
    b" ",
    b"   two  spaces, a tab\tand an end  ",
    "O rato roeu a roupa do rei de Roma, às três da manhã!".encode(),
    "É ÓTIMO: ação, coração, São João; e\u0301 e a\u0303o decompostos.".encode(),
    "我喜欢吃芒果。今天天气很好, 2024年".encode(),
    "naïve ﬁne ＦＵＬＬ ½ ² Ⅷ ™ \u00a0nbsp\u200bzero\u00adhyphen\ufeff".encode(),
    "emoji 😀👩‍👩‍👧 🇧🇷 👍🏽 end".encode(),
    b"def f(x):\n"[:-1] + b" return x**2 + 3.14159 # it's 100% I'LL we've DON'T",
    b"    if (a != b) { printf(\"%d\\n\", 12345678); }",
    b"broken \xff bytes \xc3 and \xe6\xbc and \xf0\x9f\x98 end\xc3",
    b"<|endoftext|> begin <s>x</s> [MASK] [CLS]a[SEP] <unk> <pad>",
    b"the [MASK]sat and a  [MASK] too; <mask> MASK",
    b">>por<< The house is blue.",
    b"no >>por<< here >>spa<< there",
    "ﷺ İstanbul ẞ ǅ Σίσυφος ΣΑΣ \u0085next\u2028line\u3000wide\u180emongol".encode(),
    b"unbelievably internationalization xyzzyqwrtplkj " + b"a" * 120,
    "▁lower one▁eighth ▁▁ block".encode(),
    b"\r carriage \x0b vt \x0c ff \x01\x7f control",
    "क्षि 한국어 עברית العربية ไทย".encode(),
]


def corpus():
    text = []
    for path in sorted((TOP / "assets/lessons").glob("*.md")):
        text += path.read_text().splitlines()
    text += ["我喜欢吃芒果。", "今天天气很好。", "它太累了。"] * 5
    return [line for line in text if line.strip()]


def byte_alphabet():
    visible = [*range(33, 127), *range(161, 173), *range(174, 256)]
    names, other = {}, 0
    for byte in range(256):
        if byte in visible:
            names[byte] = chr(byte)
        else:
            names[byte] = chr(256 + other)
            other += 1
    return names


def train_bpe(words, merges):
    """words: tuple of symbols -> count."""
    result = []
    while len(result) < merges:
        pairs = collections.Counter()
        for word, count in words.items():
            for pair in zip(word, word[1:]):
                pairs[pair] += count
        best = max(pairs, key=lambda p: (pairs[p], p))
        if pairs[best] < 2:
            break
        result.append(best)
        changed = collections.Counter()
        for word, count in words.items():
            new, i = [], 0
            while i < len(word):
                if word[i:i + 2] == best:
                    new.append(word[i] + word[i + 1])
                    i += 2
                else:
                    new.append(word[i])
                    i += 1
            changed[tuple(new)] += count
        words = changed
    return result


def added(id, content, normalized=False, special=True, lstrip=False, rstrip=False, single_word=False):
    return {"id": id, "content": content, "single_word": single_word, "lstrip": lstrip, "rstrip": rstrip,
            "normalized": normalized, "special": special}


def write(folder, name, value):
    path = HERE / folder / name
    path.parent.mkdir(exist_ok=True)
    if isinstance(value, bytes):
        path.write_bytes(value)
    elif isinstance(value, str):
        path.write_text(value)
    else:
        path.write_text(json.dumps(value, ensure_ascii=False, separators=(",", ":")) + "\n")


def tokenizer(**parts):
    base = {"version": "1.0", "truncation": None, "padding": None, "added_tokens": [], "normalizer": None,
            "pre_tokenizer": None, "post_processor": None, "decoder": None, "model": None}
    return base | parts


def template(single, pair, tokens):
    def piece(word):
        name, kind = (word.split(":") + ["0"])[:2]
        if name in "AB":
            return {"Sequence": {"id": name, "type_id": int(kind)}}
        return {"SpecialToken": {"id": name, "type_id": int(kind)}}
    return {"type": "TemplateProcessing", "single": [piece(w) for w in single.split()],
            "pair": [piece(w) for w in pair.split()],
            "special_tokens": {t: {"id": t, "ids": [i], "tokens": [t]} for t, i in tokens.items()}}


def byte_level_families(lines):
    names = byte_alphabet()
    words = collections.Counter()
    for line in lines:
        for word in regex.findall(GPT2, line):
            words[tuple(names[b] for b in word.encode())] += 1
    merges = train_bpe(words, 420)
    tokens = [names[b] for b in range(256)] + [a + b for a, b in merges]
    vocab = {token: i for i, token in enumerate(dict.fromkeys(tokens))}
    end = len(vocab)
    spelt = [f"{a} {b}" for a, b in merges]
    byte_level = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": True}
    no_regex = byte_level | {"use_regex": False}
    decoder = {"type": "ByteLevel", "add_prefix_space": True, "trim_offsets": True, "use_regex": True}
    model = {"type": "BPE", "dropout": None, "unk_token": None, "continuing_subword_prefix": None,
             "end_of_word_suffix": None, "fuse_unk": False, "byte_fallback": False, "ignore_merges": False,
             "vocab": vocab, "merges": spelt}

    def cut_by(pattern):
        return {"type": "Sequence", "pretokenizers": [
            {"type": "Split", "pattern": {"Regex": pattern}, "behavior": "Isolated", "invert": False}, no_regex]}

    write("gpt2", "tokenizer.json", tokenizer(
        added_tokens=[added(end, "<|endoftext|>")], pre_tokenizer=byte_level, decoder=decoder,
        post_processor={"type": "ByteLevel", "add_prefix_space": True, "trim_offsets": False}, model=model))
    write("gpt2", "config.json", {"model_type": "gpt2"})
    write("gpt2_files", "vocab.json", vocab | {"<|endoftext|>": end})
    write("gpt2_files", "merges.txt", "#version: 0.2\n" + "\n".join(spelt) + "\n")
    write("gpt2_files", "config.json", {"model_type": "gpt2"})
    begin = "<|begin_of_text|>"
    # Words that no merge makes, so that ignore_merges can be seen.
    whole = vocab | {"Ġeighth": end, "Ġinternationalization": end + 1}
    assert len(whole) == end + 2
    write("llama3", "tokenizer.json", tokenizer(
        added_tokens=[added(end + 2, begin), added(end + 3, "<|end_of_text|>")], pre_tokenizer=cut_by(LLAMA3),
        decoder=decoder, model=model | {"ignore_merges": True, "vocab": whole},
        post_processor={"type": "Sequence", "processors": [
            byte_level, template(f"{begin} A", f"{begin} A {begin}:1 B:1", {begin: end + 2})]}))
    write("llama3", "config.json", {"model_type": "llama"})
    write("qwen2", "tokenizer.json", tokenizer(
        added_tokens=[added(end, "<|endoftext|>"), added(end + 1, "<|im_start|>"),
                      added(end + 2, " x ", special=False, normalized=True)],
        normalizer={"type": "NFC"}, pre_tokenizer=cut_by(QWEN2), decoder=decoder,
        post_processor={"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": False},
        model=model | {"merges": [list(m) for m in merges]}))
    write("qwen2", "config.json", {"model_type": "qwen2"})
    write("smollm2", "tokenizer.json", tokenizer(
        added_tokens=[added(end, "<|endoftext|>"), added(end + 1, "tired", special=False, single_word=True)],
        pre_tokenizer={"type": "Sequence", "pretokenizers": [
            {"type": "Digits", "individual_digits": True}, byte_level]},
        decoder=decoder, model=model))
    write("smollm2", "config.json", {"model_type": "llama"})


def llama2(lines):
    words = collections.Counter()
    for line in lines:
        for word in line.split():
            words[tuple("▁" + word)] += 1
    characters = sorted({c for word in words for c in word if ord(c) < 0x250 or c == "▁"})
    words = collections.Counter({w: n for w, n in words.items() if set(w) <= set(characters)})
    merges = train_bpe(words, 300) + [("▁", "▁")]
    tokens = ["<unk>", "<s>", "</s>"] + [f"<0x{b:02X}>" for b in range(256)] + characters
    tokens += [a + b for a, b in merges]
    vocab = {token: i for i, token in enumerate(dict.fromkeys(tokens))}
    model = {"type": "BPE", "dropout": None, "unk_token": "<unk>", "continuing_subword_prefix": None,
             "end_of_word_suffix": None, "fuse_unk": True, "byte_fallback": True, "ignore_merges": False,
             "vocab": vocab, "merges": [f"{a} {b}" for a, b in merges]}
    specials = [added(0, "<unk>"), added(1, "<s>"), added(2, "</s>")]
    decoder = [{"type": "Replace", "pattern": {"String": "▁"}, "content": " "}, {"type": "ByteFallback"},
               {"type": "Fuse"}, {"type": "Strip", "content": " ", "start": 1, "stop": 0}]
    post = template("<s> A", "<s> A <s>:1 B:1", {"<s>": 1})
    write("llama2", "tokenizer.json", tokenizer(
        added_tokens=specials, model=model, decoder={"type": "Sequence", "decoders": decoder}, post_processor=post,
        normalizer={"type": "Sequence", "normalizers": [
            {"type": "Prepend", "prepend": "▁"},
            {"type": "Replace", "pattern": {"String": " "}, "content": "▁"}]}))
    write("llama2", "config.json", {"model_type": "llama"})
    # Few bytes, so that there are unknown characters; the newer spelling; other steps of the decoder.
    few = {t: i for i, t in enumerate(t for t in vocab if not t.startswith("<0x"))}
    write("llama_metaspace", "tokenizer.json", tokenizer(
        added_tokens=specials, model=model | {"vocab": few}, post_processor=post,
        pre_tokenizer={"type": "Metaspace", "replacement": "▁", "prepend_scheme": "first", "split": False},
        decoder={"type": "Metaspace", "replacement": "▁", "prepend_scheme": "first", "split": False}))
    write("llama_metaspace", "config.json", {"model_type": "llama"})


def bert(lines):
    counts = collections.Counter()
    for line in lines:
        counts.update(regex.findall(r"\p{L}+|\p{N}+|\p{P}", line.lower()))
    letters = sorted({c for word in counts for c in word if ord(c) < 0x180 or ord(c) > 0x4E00})
    words = [w for w, _ in counts.most_common(260) if len(w) > 1]
    endings = collections.Counter(w[i:] for w in counts for i in range(1, len(w)) if 2 <= len(w) - i <= 4)
    specials = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    tokens = specials + letters + ["##" + c for c in letters] + words
    tokens += ["##" + e for e, _ in endings.most_common(120)]
    vocab = {token: i for i, token in enumerate(dict.fromkeys(tokens))}

    def with_case(lower):
        return tokenizer(
            added_tokens=[added(vocab[t], t, lstrip=t == "[MASK]") for t in specials],
            normalizer={"type": "BertNormalizer", "clean_text": True, "handle_chinese_chars": True,
                        "strip_accents": None, "lowercase": lower},
            pre_tokenizer={"type": "BertPreTokenizer"},
            post_processor=template("[CLS] A [SEP]", "[CLS] A [SEP] B:1 [SEP]:1", {"[CLS]": 2, "[SEP]": 3}),
            decoder={"type": "WordPiece", "prefix": "##", "cleanup": True},
            model={"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##",
                   "max_input_chars_per_word": 100, "vocab": vocab})
    for name, lower in [("bert", True), ("bert_cased", False)]:
        write(name, "tokenizer.json", with_case(lower))
        write(name, "config.json", {"model_type": "bert"})
    write("bert_file", "vocab.txt", "\n".join(vocab) + "\n")
    write("bert_file", "tokenizer_config.json", {"do_lower_case": True})
    write("bert_file", "config.json", {"model_type": "distilbert"})


def charsmap_of(model_file):
    """precompiled_charsmap of a .spm: field 3 (normalizer_spec), in it field 2."""
    def fields(data):
        i = 0
        def varint():
            nonlocal i
            value = shift = 0
            while True:
                byte = data[i]
                i += 1
                value |= (byte & 127) << shift
                shift += 7
                if byte < 128:
                    return value
        while i < len(data):
            key = varint()
            if key & 7 == 2:
                length = varint()
                yield key >> 3, data[i:i + length]
                i += length
            elif key & 7 == 5:
                i += 4
            elif key & 7 == 1:
                i += 8
            else:
                varint()
    spec = dict(fields(model_file.read_bytes()))[3]
    return dict(fields(spec))[2]


def sentencepieces(lines, rule):
    text = HERE / "corpus.txt"
    text.write_text("\n".join(lines))
    rules = HERE / "rules.tsv"
    # A few of nmt_nfkc's rules: all of them are a quarter of a megabyte.
    pairs = {"\u00a0": " ", "\u3000": " ", "\u200b": " ", "ﬁ": "fi", "½": "1⁄2", "e\u0301": "é", "a\u0303": "ã",
             "™": "TM", "\ufeff": "", "²": "2", "\t": " ", "\ufffd": " ", "…": "...", "\x01": ""}
    pairs |= {chr(0xFF21 + i): chr(65 + i) for i in range(26)}
    rules.write_text("".join(
        " ".join(f"{ord(c):X}" for c in a) + "\t" + " ".join(f"{ord(c):X}" for c in b) + "\n"
        for a, b in pairs.items()))
    how = {"normalization_rule_tsv": str(rules)} if rule is None else {"normalization_rule_name": rule}
    for folder, name, extra in [
            ("marian", "source", dict(model_type="unigram", vocab_size=420, bos_id=-1)),
            ("marian", "target", dict(model_type="unigram", vocab_size=300, bos_id=-1)),
            ("pieces_unigram", "tokenizer", dict(model_type="unigram", vocab_size=620, byte_fallback=True,
                                                 user_defined_symbols=["[MASK]", "**"])),
            ("pieces_bpe", "tokenizer", dict(model_type="bpe", vocab_size=620, byte_fallback=True)),
            ("pieces_bpe_plain", "tokenizer", dict(model_type="bpe", vocab_size=420,
                                                   user_defined_symbols=["[MASK]", "DON"],
                                                   remove_extra_whitespaces=False, add_dummy_prefix=False))]:
        (HERE / folder).mkdir(exist_ok=True)
        sentencepiece.SentencePieceTrainer.train(
            input=str(text), model_prefix=str(HERE / folder / name), character_coverage=0.995,
            minloglevel=2, num_threads=1, **how, **extra)
        (HERE / folder / f"{name}.vocab").unlink()
        model = HERE / folder / f"{name}.model"
        if folder == "marian":
            model.rename(HERE / folder / f"{name}.spm")
        write(folder, "config.json", {"model_type": "marian" if folder == "marian" else "other"})
    text.unlink()
    rules.unlink()
    sides = [sentencepiece.SentencePieceProcessor(model_file=str(HERE / f"marian/{s}.spm"))
             for s in ("source", "target")]
    pieces = dict.fromkeys(p.id_to_piece(i) for p in sides for i in range(p.get_piece_size()))
    pieces = [p for p in pieces if p not in ("<unk>", "</s>", "▁to")]
    names = ["</s>", "<unk>", ">>por<<"] + pieces + ["<pad>"]
    write("marian", "vocab.json", {p: i for i, p in enumerate(names)})

    unigram = sentencepiece.SentencePieceProcessor(model_file=str(HERE / "marian/source.spm"))
    scored = [["<s>", 0.0], ["<pad>", 0.0], ["</s>", 0.0], ["<unk>", 0.0]]
    scored += [[unigram.id_to_piece(i), round(unigram.get_score(i), 6)]
               for i in range(unigram.get_piece_size()) if unigram.id_to_piece(i) not in ("<unk>", "</s>")]
    charsmap = base64.b64encode(charsmap_of(HERE / "marian/source.spm")).decode()
    write("unigram", "tokenizer.json", tokenizer(
        added_tokens=[added(i, t) for i, t in enumerate(["<s>", "<pad>", "</s>", "<unk>"])]
        + [added(len(scored), "<mask>", lstrip=True)],
        normalizer={"type": "Sequence", "normalizers": [
            {"type": "Precompiled", "precompiled_charsmap": charsmap}, {"type": "Strip", "strip_left": False,
                                                                       "strip_right": True},
            {"type": "Replace", "pattern": {"Regex": " {2,}"}, "content": " "}]},
        pre_tokenizer={"type": "Metaspace", "replacement": "▁", "add_prefix_space": True},
        decoder={"type": "Metaspace", "replacement": "▁", "add_prefix_space": True},
        post_processor={"type": "RobertaProcessing", "sep": ["</s>", 2], "cls": ["<s>", 0], "trim_offsets": True,
                        "add_prefix_space": True},
        model={"type": "Unigram", "unk_id": 3, "vocab": scored, "byte_fallback": False}))
    write("unigram", "config.json", {"model_type": "other"})


def reference_lines(path):
    return [line.decode("utf-8", "replace") for line in path.read_bytes().split(b"\n")[:-1]]


def sentencepiece_ids(lines_file, name):
    """What SentencePiece makes of the lines; special tokens are cut out first, as Hugging Face does."""
    lines = reference_lines(lines_file)
    for folder in ["pieces_unigram", "pieces_bpe", "pieces_bpe_plain"]:
        model = sentencepiece.SentencePieceProcessor(model_file=str(HERE / folder / "tokenizer.model"))
        specials = {t: model.piece_to_id(t) for t in ("<s>", "</s>", "<unk>")}
        rows = []
        for line in lines:
            ids = []
            for part in regex.split("(<s>|</s>|<unk>)", line):
                ids += [specials[part]] if part in specials else model.encode(part)
            rows.append(ids)
        write(folder, name, "".join(" ".join(map(str, r)) + "\n" for r in rows))
    vocab = json.loads((HERE / "marian/vocab.json").read_text())
    for side in ["source", "target"]:
        model = sentencepiece.SentencePieceProcessor(model_file=str(HERE / f"marian/{side}.spm"))
        rows = []
        for line in lines:
            ids = []
            for part in regex.split("(</s>|<unk>|<pad>)", line):
                if part in ("</s>", "<unk>", "<pad>"):
                    ids.append(vocab[part])
                elif part:
                    code = regex.match(">>.+<<", part)
                    pieces = [code.group(0)] if code else []
                    pieces += model.encode(regex.sub(">>.+<<", "", part), out_type=str)
                    ids += [vocab.get(p, 1) for p in pieces]
            rows.append(ids + [vocab["</s>"]])
        write("marian", f"{side}_{name}", "".join(" ".join(map(str, r)) + "\n" for r in rows))


if __name__ == "__main__":
    if len(sys.argv) > 2 and sys.argv[1] == "ids":  # of other lines, for a longer comparison
        sentencepiece_ids(pathlib.Path(sys.argv[2]), sys.argv[3])
    else:
        text = corpus()
        (HERE / "lines.txt").write_bytes(b"".join(line + b"\n" for line in LINES))
        byte_level_families(text)
        llama2(text)
        bert(text)
        sentencepieces(text, sys.argv[1] if len(sys.argv) > 1 else None)
        sentencepiece_ids(HERE / "lines.txt", "ids.txt")
