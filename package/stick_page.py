#!/usr/bin/env python3
"""The page of a USB stick: which of the files beside it to open. stick_page.py FOLDER VERSION FILE…"""

import html
import os
import sys

KINDS = {  # by how the name ends: (title, what to do), in English and Portuguese
    ".deb": (("Debian, Ubuntu, Mint", "Double click it, or in a terminal: <code>sudo apt install ./{name}</code>. "
              "Afterwards Headlight is among the programs for education."),
             ("Debian, Ubuntu, Mint", "Clique duas vezes ou, no terminal: <code>sudo apt install ./{name}</code>. "
              "Depois o Headlight está entre os programas de educação.")),
    ".tar.xz": (("Any other Linux, or no right to install", "Unpack it (right click, <i>Extract</i>; to a folder of "
                 "the computer, not of the stick), open the folder and run <code>headlight</code>."),
                ("Qualquer outro Linux, ou sem permissão para instalar", "Descompacte (botão direito, <i>Extrair</i>; "
                 "para uma pasta do computador, não do pendrive), abra a pasta e execute <code>headlight</code>.")),
    "windows.zip": (("Windows", "Right click, <i>Extract all</i>, open the folder and double click "
                     "<code>headlight.exe</code>."),
                    ("Windows", "Botão direito, <i>Extrair tudo</i>, abra a pasta e clique duas vezes em "
                     "<code>headlight.exe</code>.")),
    "web.zip": (("A browser, on anything else", "Unpack it on a web server of the school, and open its address. "
                 "Inside is a page that says how."),
                ("Um navegador, em qualquer outra coisa", "Descompacte em um servidor web da escola e abra o endereço. "
                 "Dentro há uma página que diz como.")),
}


def rows(files, language):
    for file in files:
        name = os.path.basename(file)
        for end, texts in KINDS.items():
            if name.endswith(end):
                title, how = texts[language]
                size = os.path.getsize(file) / 1e6
                yield (f'<li><h3>{title}</h3><p><a href="{html.escape(name)}">{html.escape(name)}</a> '
                       f"({size:.0f} MB)</p><p>{how.format(name=html.escape(name))}</p></li>")


def main(folder, version, *files):
    english, portuguese = ("\n".join(rows(files, language)) for language in (0, 1))
    page = f"""<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Headlight {version}</title>
<style>
body {{ font: 18px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; color: #1b1e24 }}
main {{ display: flex; gap: 3rem; flex-wrap: wrap }} section {{ flex: 1; min-width: 18rem }}
ul {{ padding: 0; list-style: none }} li {{ border-top: 1px solid #ccd; padding: .5rem 0 }}
h3 {{ margin: .4rem 0 0 }} p {{ margin: .2rem 0 }} code {{ background: #eef; padding: 0 .2em }}
@media (prefers-color-scheme: dark) {{ body {{ background: #1b1e24; color: #e9ecf1 }} a {{ color: #7aa7ff }}
code {{ background: #2c313a }} li {{ border-color: #444 }} }}
</style>
<h1>Headlight {version}</h1>
<main>
<section lang="en"><h2>Which of these do I open?</h2><ul>
{english}
</ul><p>Nothing of it needs the internet.</p></section>
<section lang="pt"><h2>Qual destes eu abro?</h2><ul>
{portuguese}
</ul><p>Nada disso precisa de internet.</p></section>
</main></html>
"""
    with open(os.path.join(folder, "OPEN-THIS.html"), "w", encoding="utf-8") as file:
        file.write(page)


if __name__ == "__main__":
    main(*sys.argv[1:])
