// node reference_ids.js [LINES NAME]: what the library of Hugging Face makes of lines.txt with each
// tokenizer.json here, into ids.txt beside it: the ids with special tokens, one line for each; and decoded.json,
// what it reads back. Needs `npm install tokenizers` (0.23.2 was used).
const fs = require('fs'), path = require('path');
const {Tokenizer} = require('tokenizers');
const lines = fs.readFileSync(process.argv[2] || path.join(__dirname, 'lines.txt'), 'latin1').split('\n').slice(0, -1)
    .map((line) => Buffer.from(line, 'latin1').toString('utf8')); // broken bytes become U+FFFD
const name = process.argv[3] || 'ids.txt';
(async () => {
    for (const folder of fs.readdirSync(__dirname)) {
        const file = path.join(__dirname, folder, 'tokenizer.json');
        if (!fs.existsSync(file)) continue;
        const tokenizer = Tokenizer.fromFile(file);
        let ids = '';
        const decoded = [];
        for (const line of lines) {
            const own = (await tokenizer.encode(line, null)).getIds();
            ids += own.join(' ') + '\n';
            decoded.push(await tokenizer.decode(own, true));
        }
        fs.writeFileSync(path.join(__dirname, folder, name), ids);
        if (!process.argv[2]) fs.writeFileSync(path.join(__dirname, folder, 'decoded.json'), JSON.stringify(decoded, null, 0) + '\n');
    }
})();
