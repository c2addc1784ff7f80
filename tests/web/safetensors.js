// Reads the values that `headlight trace` writes.
"use strict";
const fs = require("fs");

module.exports = function (file) {
  const bytes = fs.readFileSync(file), length = Number(bytes.readBigUInt64LE(0));
  const table = JSON.parse(bytes.subarray(8, 8 + length).toString());
  const values = {};
  for (const [name, entry] of Object.entries(table)) {
    if (name === "__metadata__" || entry.dtype !== "F32") continue;
    const begin = 8 + length + entry.data_offsets[0], end = 8 + length + entry.data_offsets[1];
    values[name] = { shape: entry.shape, numbers: new Float32Array(bytes.buffer.slice(bytes.byteOffset + begin,
      bytes.byteOffset + end)) };
  }
  return values;
};
