// The command line on Windows, which has it in UTF-16, and a terminal that is told that it is written to in
// UTF-8.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#define WIN32_LEAN_AND_MEAN
#include <windows.h>

#include <shellapi.h>

namespace headlight {

class WindowsArguments {
public:
    WindowsArguments() {
        SetConsoleOutputCP(CP_UTF8);
        SetConsoleCP(CP_UTF8);
        int count = 0;
        wchar_t** wide = CommandLineToArgvW(GetCommandLineW(), &count);
        for (int i = 0; i < count; ++i) texts_.push_back(in_utf8(wide[i]));
        LocalFree(wide);
        for (std::string& text : texts_) words_.push_back(text.data());
        words_.push_back(nullptr);
        // Double clicked: the terminal that came up with it belongs to nobody else, and closes.
        DWORD others[2];
        if (count == 1 && GetConsoleProcessList(others, 2) == 1) FreeConsole();
    }

    int count() const { return int(texts_.size()); }
    char** words() { return words_.data(); }

private:
    static std::string in_utf8(const wchar_t* text) {
        std::string into(std::size_t(WideCharToMultiByte(CP_UTF8, 0, text, -1, nullptr, 0, nullptr, nullptr)),
                         '\0');
        WideCharToMultiByte(CP_UTF8, 0, text, -1, into.data(), int(into.size()), nullptr, nullptr);
        into.pop_back(); // the zero at its end
        return into;
    }

    std::vector<std::string> texts_;
    std::vector<char*> words_;
};

} // namespace headlight
