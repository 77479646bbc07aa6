#include <unistd.h>

#include <csignal>
#include <iostream>

#include "cli/program.hpp"

int main(int argc, char** argv) {
  // A file that may not grow further is then an error of writing it, after which nothing of it is left.
  std::signal(SIGXFSZ, SIG_IGN);
  return crosslane::cli::run_program(argc, argv, std::cout, std::cerr,
                                     {.out = isatty(STDOUT_FILENO) != 0, .err = isatty(STDERR_FILENO) != 0});
}
