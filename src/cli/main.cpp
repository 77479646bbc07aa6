#include <unistd.h>

#include <iostream>

#include "cli/program.hpp"

int main(int argc, char** argv) {
  return crosslane::cli::run_program(argc, argv, std::cout, std::cerr,
                                     {.out = isatty(STDOUT_FILENO) != 0, .err = isatty(STDERR_FILENO) != 0});
}
