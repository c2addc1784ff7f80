// The command line on Windows, which has it in UTF-16, and a terminal that is told that it is written to in
// UTF-8.
#pragma once

#include "engine/io/system.h"

#include <filesystem>
#include <optional>
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
        was_double_clicked_ = GetConsoleProcessList(others, 2) == 1;
        if (was_double_clicked_) FreeConsole();
    }

    // Where the processor has AVX2 and the program that is made for it lies beside this one, that one runs
    // instead. Its exit status; nothing where this one is to go on.
    std::optional<int> run_for_this_processor() const {
        __builtin_cpu_init();
        const bool has_avx2 =
            __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi2");
        const std::filesystem::path own = program_file(), other = own.parent_path() / "headlight-avx2.exe";
        std::error_code none;
        if (!has_avx2 || own.filename() == other.filename() || !std::filesystem::exists(other, none))
            return std::nullopt;
        std::wstring line = GetCommandLineW(); // which the system may write into
        STARTUPINFOW start{};
        start.cb = sizeof start;
        PROCESS_INFORMATION child{};
        if (!CreateProcessW(other.c_str(), line.data(), nullptr, nullptr, TRUE,
                            was_double_clicked_ ? DETACHED_PROCESS : 0, nullptr, nullptr, &start, &child))
            return std::nullopt;
        SetConsoleCtrlHandler([](DWORD) -> BOOL { return TRUE; }, TRUE); // Ctrl-C is the other's
        WaitForSingleObject(child.hProcess, INFINITE);
        DWORD status = 1;
        GetExitCodeProcess(child.hProcess, &status);
        CloseHandle(child.hThread);
        CloseHandle(child.hProcess);
        return int(status);
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
    bool was_double_clicked_ = false;
};

} // namespace headlight
