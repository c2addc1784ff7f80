#include "engine/io/model_folder.h"

#include "engine/io/model_folder.h"
#include "engine/io/safetensors.h"
#include "engine/io/tokenizer_json.h"
#include "engine/model/transformer.h"
#include "tests/support/failing_disk.h"
#include "tests/support/soak.h"
#include "tests/support/temporary_folder.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>

using namespace headlight;

namespace {

using Strings = std::vector<std::string>;

struct SmallModel {
    Tokenizer source = Tokenizer::words(Strings{"you are welcome"});
    Tokenizer target = Tokenizer::words(Strings{"De nada"}, {false, 0});
    ModelConfig config;
    Parameters parameters;

    SmallModel() {
        config.d_model = 8;
        config.num_heads = 2;
        config.encoder_layers = config.decoder_layers = 1;
        config.d_ff = 16;
        config.source_vocab_size = source.vocabulary().size();
        config.target_vocab_size = target.vocabulary().size();
        parameters = declare_parameters(config);
        for (Index i = 0; i < parameters.count(); ++i) parameters.data()[i] = Real(std::sin(double(i)));
    }
    Result<Done> write(const std::filesystem::path& folder) const {
        return write_model_folder(folder, config, parameters, source, target);
    }
    // As write_safetensors takes them, so that tests can spoil them.
    std::vector<TensorToWrite> tensors() const {
        std::vector<TensorToWrite> list;
        for (const Parameter& p : parameters.list()) {
            const std::vector<Index> shape =
                p.is_vector ? std::vector{p.columns} : std::vector{p.rows, p.columns};
            list.push_back({p.name, shape, parameters.values(p)});
        }
        return list;
    }
};

Error error_of(const TemporaryFolder& folder) {
    const Result<ModelFiles> files = read_model_folder(folder.path());
    return files ? Error{} : files.error();
}

void replace_in(const TemporaryFolder& folder, const std::string& file, const std::string& from,
                const std::string& to) {
    std::string text = folder.read(file);
    REQUIRE(text.find(from) != std::string::npos);
    folder.write(file, text.replace(text.find(from), from.size(), to));
}

} // namespace

TEST_CASE("a model folder is read as it was written") {
    const TemporaryFolder folder;
    const SmallModel model;
    REQUIRE(model.write(folder / "inner/model"));
    const Result<ModelFiles> files = read_model_folder(folder / "inner/model");
    REQUIRE(files);
    CHECK(files->config == model.config);
    CHECK(files->source == model.source);
    CHECK(files->target == model.target);
    REQUIRE(files->parameters.count() == model.parameters.count());
    CHECK(std::equal(model.parameters.data(), model.parameters.data() + model.parameters.count(),
                     files->parameters.data(), [](Real a, Real b) { return float(a) == float(b); }));
}

TEST_CASE("one tokenizer is one file, two are two, and those of an earlier model go") {
    const TemporaryFolder folder;
    SmallModel model;
    REQUIRE(model.write(folder.path()));
    CHECK(std::filesystem::exists(folder / "tokenizer_source.json"));
    CHECK(std::filesystem::exists(folder / "tokenizer_target.json"));
    CHECK_FALSE(std::filesystem::exists(folder / "tokenizer.json"));
    CHECK(folder.count_files() == 4);

    SmallModel shared;
    shared.target = shared.source;
    shared.config.target_vocab_size = shared.config.source_vocab_size;
    shared.parameters = declare_parameters(shared.config);
    REQUIRE(shared.write(folder.path()));
    CHECK(folder.count_files() == 3);
    CHECK(read_model_folder(folder.path())->target == shared.source);
    REQUIRE(model.write(folder.path()));
    CHECK(folder.count_files() == 4);
    CHECK(read_model_folder(folder.path())->target == model.target);
}

TEST_CASE("a folder or a file of it that is missing is an error that names it") {
    const TemporaryFolder folder;
    CHECK(read_model_folder(folder / "none").error().key == "error.model_folder_missing");
    const SmallModel model;
    for (const char* file :
         {"config.json", "model.safetensors", "tokenizer_source.json", "tokenizer_target.json"}) {
        REQUIRE(model.write(folder.path()));
        std::filesystem::remove(folder / file);
        const Error error = error_of(folder);
        CHECK(error.key == "error.file_missing");
        CHECK(error.arguments.at(0) == (folder / file).string());
    }
}

TEST_CASE("config, tokenizers and weights that disagree are errors that say which") {
    const TemporaryFolder folder;
    const SmallModel model;
    const auto error_after = [&](const std::string& from, const std::string& to) {
        REQUIRE(model.write(folder.path()));
        replace_in(folder, "config.json", from, to);
        return error_of(folder);
    };
    CHECK(error_after("\"source_vocab_size\": 7", "\"source_vocab_size\": 8").arguments
          == Strings{(folder / "config.json").string(), "source_vocab_size", "8",
                     (folder / "tokenizer_source.json").string(), "7"});
    CHECK(error_after("\"source_vocab_size\": 7", "\"source_vocab_size\": 0").key == "error.config_size");
    CHECK(error_after("\"source_vocab_size\": 7,", "").key == ""); // the tokenizer's
    CHECK(error_after("\"unk_id\": 3", "\"unk_id\": 1").key == "error.config_unknown_token");
    CHECK(error_after("\"pad_id\": 0", "\"pad_id\": 99").key == "error.config_id");
    CHECK(error_after("\"d_model\": 8", "\"d_model\": 1000000000").key == "error.config_size");
    CHECK(error_after("\"d_model\": 8", "\"d_model\": 4096").key
          == "error.weights_shape"); // before allocating
    CHECK(error_after("\"num_heads\": 2", "\"num_heads\": 3").key == "error.config_heads");
    CHECK(error_after("\"encoder_layers\": 1", "\"encoder_layers\": 2").arguments.at(1)
          == "transformer.encoder.layers.1.self_attn.in_proj_weight");
    CHECK(error_after("\"final_norm\": false", "\"final_norm\": true").key == "error.weights_missing");
}

TEST_CASE("a weight that is missing, of another shape or of another model is an error that names it") {
    const TemporaryFolder folder;
    const SmallModel model;
    REQUIRE(model.write(folder.path()));
    const auto error_with = [&](const std::vector<TensorToWrite>& tensors) {
        REQUIRE(write_safetensors(folder / "model.safetensors", tensors));
        return error_of(folder);
    };
    std::vector<TensorToWrite> tensors = model.tensors();
    CHECK(error_with(tensors).key == "");
    std::reverse(tensors.begin(), tensors.end()); // in any order
    CHECK(error_with(tensors).key == "");

    tensors = model.tensors();
    tensors.pop_back();
    CHECK(error_with(tensors).key == "error.weights_missing");
    CHECK(error_with(tensors).arguments.at(1) == "generator.bias");

    tensors = model.tensors();
    tensors.push_back({"lm_head.weight", {1}, model.parameters.data()});
    CHECK(error_with(tensors).key == "error.weights_unexpected");
    CHECK(error_with(tensors).arguments.at(1) == "lm_head.weight");

    for (const std::vector<Index>& shape : {std::vector<Index>{8, 7}, {7}, {7, 8, 1}, {}}) {
        tensors = model.tensors();
        tensors[0].shape = shape;
        CHECK(error_with(tensors).key == "error.weights_shape");
        CHECK(error_with(tensors).arguments.at(2) == to_string(shape));
    }
}

TEST_CASE("a weight that is not finite is an error that names it and its cell, in reading and in writing") {
    const TemporaryFolder folder;
    for (Real bad : {std::numeric_limits<Real>::quiet_NaN(), std::numeric_limits<Real>::infinity(),
                     -std::numeric_limits<Real>::infinity()}) {
        SmallModel model;
        REQUIRE(model.write(folder.path()));
        const Parameter& weight = *model.parameters.find("transformer.decoder.layers.0.linear1.weight");
        model.parameters.tensor(weight)(0, 2, 5) = bad;
        const Strings where = {(folder / "model.safetensors").string(), weight.name, "2", "5"};
        CHECK(model.write(folder.path()).error().arguments == where);
        CHECK(error_of(folder).key == ""); // the folder is as it was
        REQUIRE(write_safetensors(folder / "model.safetensors", model.tensors()));
        CHECK(error_of(folder).key == "error.weights_not_finite");
        CHECK(error_of(folder).arguments == where);
    }
}

TEST_CASE("a model folder cannot be written where a file stands") {
    const TemporaryFolder folder;
    folder.write("file", "");
    const Result<Done> written = SmallModel().write(folder / "file/model");
    REQUIRE_FALSE(written);
    CHECK(written.error().arguments.at(0) == (folder / "file/model").string());
    CHECK_FALSE(SmallModel().write(folder / "file"));
    CHECK(folder.read("file") == "");
}

TEST_CASE(
    "a model saved over one of other sizes opens whichever write, sync or rename fails or is the last") {
    const TemporaryFolder folder;
    const SmallModel before;
    SmallModel after;
    after.target = after.source; // one tokenizer file instead of two
    after.config.target_vocab_size = after.config.source_vocab_size;
    after.config.d_ff = 24;
    after.parameters = declare_parameters(after.config);
    using test::FailingDisk;
    const int every = test::soaks() ? 1 : 3;
    for (const auto from : {FailingDisk::From::once, FailingDisk::From::for_good}) {
        bool reached_end = false;
        int old = 0, fresh = 0;
        for (int call = 1; !reached_end; call += every) {
            const std::filesystem::path place =
                folder / (std::to_string(int(from)) + "-" + std::to_string(call));
            REQUIRE(before.write(place));
            Result<Done> written = Done{};
            {
                const FailingDisk disk(call, from);
                written = after.write(place);
                reached_end = disk.calls() < call;
            }
            CAPTURE(call);
            const Result<ModelFiles> files = read_model_folder(place);
            REQUIRE(files);
            (files->config.d_ff == 24 ? fresh : old)++;
            if (from == FailingDisk::From::once) CHECK((files->config.d_ff == 24) == bool(written));
            CHECK(before.write(place));
            REQUIRE(read_model_folder(place));
            CHECK(read_model_folder(place)->config.d_ff == 16);
            CHECK(std::distance(std::filesystem::directory_iterator(place), {}) == 4);
        }
        CHECK(every * old > 20);
        CHECK(every * fresh > 5);
    }
}

TEST_CASE("special ids of a config are those of its tokenizers") {
    const TemporaryFolder folder;
    SmallModel model;
    model.config.pad_id = 4; // “are”
    REQUIRE(model.write(folder.path()));
    const Result<ModelFiles> files = read_model_folder(folder.path());
    REQUIRE(files);
    CHECK(files->source.vocabulary().specials().pad == 4);
    CHECK(files->source.vocabulary().is_special(4));
}

TEST_CASE(
    "a model of another kind is read as it was written, with one tokenizer where it has one vocabulary") {
    for (const auto& [architecture, head] :
         {std::pair(Architecture::encoder_only, Head::tokens),
          std::pair(Architecture::encoder_only, Head::classes),
          std::pair(Architecture::decoder_only, Head::tokens), std::pair(Architecture::lstm, Head::tokens),
          std::pair(Architecture::rnn_fixed, Head::tokens)}) {
        SmallModel model;
        model.config.architecture = architecture;
        model.config.head = head;
        model.config.labels = {"negative", "positive"};
        const bool two = (architecture == Architecture::encoder_only && head == Head::tokens)
                         || architecture == Architecture::rnn_fixed;
        if (!two) {
            model.target = model.source;
            model.config.target_vocab_size = model.config.source_vocab_size;
        }
        model.config = settled(model.config);
        model.parameters = declare_parameters(model.config);
        const TemporaryFolder folder;
        REQUIRE(model.write(folder.path()));
        CHECK(std::filesystem::exists(folder / "tokenizer.json") == !two);
        const Result<ModelFiles> files = read_model_folder(folder.path());
        REQUIRE(files);
        CHECK(files->config == model.config);
        CHECK(files->source == model.source);
        CHECK(files->target == model.target);
    }
}

TEST_CASE("weights of another architecture than the config says are refused by name") {
    const TemporaryFolder folder;
    const SmallModel model;
    REQUIRE(model.write(folder.path()));
    replace_in(folder, "config.json", "encoder-decoder", "encoder-only");
    CHECK(error_of(folder).key == "error.weights_missing");
    CHECK(error_of(folder).arguments[1] == "encoder.layers.0.self_attn.in_proj_weight");
}

TEST_CASE("tied embeddings are written once, and read under their other names when these say the same") {
    const TemporaryFolder folder;
    SmallModel model;
    model.target = model.source;
    model.config.target_vocab_size = model.config.source_vocab_size;
    model.config.tie_embeddings = true;
    model.parameters = declare_parameters(model.config);
    for (Index i = 0; i < model.parameters.count(); ++i)
        model.parameters.data()[i] = Real(std::sin(double(i)));
    REQUIRE(model.write(folder.path()));
    const auto read = read_model_folder(folder.path());
    REQUIRE(read);
    CHECK(read->config == model.config);
    CHECK(read->parameters.find("generator.weight") == nullptr);

    std::vector<TensorToWrite> tensors = model.tensors();
    REQUIRE(tensors[0].name == "source_embedding.weight");
    for (const char* name : {"target_embedding.weight", "generator.weight"})
        tensors.push_back({name, tensors[0].shape, tensors[0].values});
    REQUIRE(write_safetensors(folder / "model.safetensors", tensors)); // as PyTorch's state_dict() has them
    CHECK(error_of(folder).key == "");
    std::vector<Real> other(tensors[0].values, tensors[0].values + model.config.source_vocab_size * 8);
    other[9] += 1;
    tensors.back().values = other.data();
    REQUIRE(write_safetensors(folder / "model.safetensors", tensors));
    CHECK(error_of(folder).key == "error.weights_not_tied");
    CHECK(error_of(folder).arguments
          == Strings{(folder / "model.safetensors").string(), "generator.weight", "source_embedding.weight",
                     "1", "1"});
}

TEST_CASE("weights too large for F16 are an error that names them, not infinite") {
    const TemporaryFolder folder;
    SmallModel model;
    model.parameters.data()[11] = Real(70'000);
    Result<FolderTransaction> to = FolderTransaction::begin(folder.path());
    REQUIRE(to);
    const auto written =
        write_model(*to, model.config, model.parameters, model.source, model.target, StoredAs::f16);
    REQUIRE_FALSE(written);
    CHECK(written.error().key == "error.weights_not_finite");
    CHECK(written.error().arguments.at(2) == "1");
    CHECK(written.error().arguments.at(3) == "3");
}
