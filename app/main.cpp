#include "app/cli/command_line.h"

int main(int count, char** words) { return headlight::run_command_line(count, words); }
