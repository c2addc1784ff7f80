// Files between the browser and the program: what is dropped or chosen is copied into /opened, what the program
// writes into /files is downloaded; a folder travels as a tar archive.
"use strict";

const headlightFiles = (function () {
  const written = "/files", opened = "/opened";
  let answer, count = 0;
  const seen = new Map();

  // --- tar ---------------------------------------------------------------------------------------------------

  const textOf = (bytes) => new TextDecoder().decode(bytes).split("\0")[0];

  function unpack(FS, bytes, to) {
    for (let at = 0; at + 512 <= bytes.length && bytes[at];) {
      const size = parseInt(textOf(bytes.subarray(at + 124, at + 136)), 8) || 0;
      const name = textOf(bytes.subarray(at, at + 100));
      const path = to + (to.endsWith("/") ? "" : "/") + name;
      const kind = bytes[at + 156];
      if (!name.split("/").includes("..")) {
        if (kind === 53) FS.mkdirTree(path);
        else if (kind === 48 || kind === 0) {
          FS.mkdirTree(path.slice(0, path.lastIndexOf("/")) || "/");
          FS.writeFile(path, bytes.subarray(at + 512, at + 512 + size));
        }
      }
      at += 512 + Math.ceil(size / 512) * 512;
    }
  }

  function header(name, size, isFolder) {
    const head = new Uint8Array(512), write = (text, at) => head.set(new TextEncoder().encode(text), at);
    write(name, 0);
    write(isFolder ? "0000755\0" : "0000644\0", 100);
    write("0000000\0" + "0000000\0", 108);
    write(size.toString(8).padStart(11, "0") + "\0", 124);
    write("00000000000\0", 136);
    write("        ", 148);
    write(isFolder ? "5" : "0", 156);
    write("ustar\0" + "00", 257);
    write(head.reduce((a, b) => a + b, 0).toString(8).padStart(6, "0") + "\0 ", 148);
    return head;
  }

  function packFolder(FS, folder, name) {
    const parts = [header(name + "/", 0, true)];
    for (const entry of FS.readdir(folder)) {
      if (entry.startsWith(".")) continue;
      const path = folder + "/" + entry, inside = name + "/" + entry;
      if (FS.isDir(FS.stat(path).mode)) {
        parts.push(...packFolder(FS, path, inside));
        continue;
      }
      const bytes = FS.readFile(path);
      parts.push(header(inside, bytes.length, false), bytes, new Uint8Array((512 - bytes.length % 512) % 512));
    }
    return parts;
  }

  // --- downloads ---------------------------------------------------------------------------------------------

  const types = { png: "image/png", svg: "image/svg+xml", pdf: "application/pdf", csv: "text/csv",
    md: "text/markdown", tsv: "text/tab-separated-values", tar: "application/x-tar" };

  function download(name, parts) {
    const type = types[name.slice(name.lastIndexOf(".") + 1)] || "application/octet-stream";
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob(parts, { type }));
    link.download = name;
    document.body.append(link);
    link.click();
    link.remove();
    setTimeout(() => URL.revokeObjectURL(link.href), 60000);
  }

  // The newest change of a file, or of anything in a folder.
  function changed(FS, path) {
    const status = FS.stat(path);
    if (!FS.isDir(status.mode)) return status.mtime.getTime() + ":" + status.size;
    return FS.readdir(path).filter((entry) => entry !== "." && entry !== "..")
      .map((entry) => entry + changed(FS, path + "/" + entry)).join();
  }

  function look(module) {
    const FS = module.FS;
    for (const entry of FS.readdir(written)) {
      if (entry.startsWith(".")) continue;
      const path = written + "/" + entry, now = changed(FS, path);
      if (seen.get(path) === now) continue;
      seen.set(path, now);
      const isFolder = FS.isDir(FS.stat(path).mode);
      if (isFolder && FS.readdir(path).length > 2)
        download(entry + ".tar", [...packFolder(FS, path, entry), new Uint8Array(1024)]);
      else if (!isFolder) download(entry, [FS.readFile(path)]);
    }
  }

  // --- what is opened ----------------------------------------------------------------------------------------

  async function put(FS, folder, file, path) {
    const place = folder + "/" + path;
    FS.mkdirTree(place.slice(0, place.lastIndexOf("/")));
    const bytes = new Uint8Array(await file.arrayBuffer());
    if (!place.endsWith(".tar")) {
      FS.writeFile(place, bytes);
      return place;
    }
    unpack(FS, bytes, folder);
    const inside = FS.readdir(folder).filter((entry) => !entry.startsWith("."));
    return inside.length ? folder + "/" + inside[0] : place;
  }

  const newFolder = (FS) => { const folder = opened + "/" + ++count; FS.mkdirTree(folder); return folder; };

  async function putEntry(FS, folder, entry, path) {
    if (entry.isFile)
      return put(FS, folder, await new Promise((done, failed) => entry.file(done, failed)), path + entry.name);
    FS.mkdirTree(folder + "/" + path + entry.name);
    const reader = entry.createReader();
    for (; ;) {
      const some = await new Promise((done, failed) => reader.readEntries(done, failed));
      if (some.length === 0) break;
      for (const one of some) await putEntry(FS, folder, one, path + entry.name + "/");
    }
    return folder + "/" + path + entry.name;
  }

  async function drop(module, event) {
    event.preventDefault();
    const item = [...event.dataTransfer.items].find((one) => one.kind === "file");
    if (!item) return;
    const entry = item.webkitGetAsEntry ? item.webkitGetAsEntry() : null, file = item.getAsFile();
    const folder = newFolder(module.FS);
    const path = entry ? await putEntry(module.FS, folder, entry, "") : await put(module.FS, folder, file, file.name);
    module.ccall("headlight_drop", null, ["string"], [path]);
  }

  return {
    unpack, look,
    begin(module, canvas) {
      this.module = module;
      canvas.addEventListener("dragover", (event) => event.preventDefault());
      canvas.addEventListener("drop", (event) => drop(module, event));
    },
    // --- called by the program
    chooseFile(patterns, folders) {
      answer = undefined;
      const input = document.createElement("input"), FS = this.module.FS;
      input.type = "file";
      if (folders) input.webkitdirectory = true;
      else if (patterns) input.accept = patterns + ",.tar";
      input.addEventListener("cancel", () => { answer = ""; });
      input.addEventListener("change", async () => {
        const folder = newFolder(FS);
        let path = "";
        for (const file of input.files) path = await put(FS, folder, file, file.webkitRelativePath || file.name);
        if (folders && input.files.length) path = folder + "/" + input.files[0].webkitRelativePath.split("/")[0];
        answer = path;
      });
      input.click();
    },
    chosenFile() { const said = answer; answer = undefined; return said; },
    copy(text) {
      if (navigator.clipboard && window.isSecureContext)
        navigator.clipboard.writeText(text).catch(() => this.copyByField(text));
      else this.copyByField(text);
    },
    copyByField(text) {
      const field = document.createElement("textarea"), before = document.activeElement;
      field.value = text;
      document.body.append(field);
      field.select();
      document.execCommand("copy");
      field.remove();
      if (before) before.focus({ preventScroll: true });
    },
  };
})();
