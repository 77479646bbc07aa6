// The page in a browser: nothing goes wrong in it, and its tables can be sorted.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/folder_test.hpp"
#include "report/measured_document.hpp"
#include "report/page.hpp"

namespace crosslane::report {
namespace {

using testing::HasSubstr;
using testing::Not;

std::string text_of(const std::filesystem::path& file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

class Browser : public cli::test::FolderTest {
 protected:
  void SetUp() override {
    if (std::string(CROSSLANE_TEST_BROWSER).empty()) {
      GTEST_SKIP() << "no browser was found: install chromium to test pages in one";
    }
  }

  /// The page's elements after its scripts have run; what the browser says is in `log_`.
  std::string open(const std::string& page) {
    std::ofstream(folder_ / "page.html", std::ios::binary) << page;
    const std::string folder = folder_.string();
    const std::string command = std::string(CROSSLANE_TEST_BROWSER) +
                                " --headless --no-sandbox --disable-gpu --enable-logging=stderr --user-data-dir='" +
                                folder + "/profile' --dump-dom 'file://" + folder + "/page.html' > '" + folder +
                                "/dom' 2> '" + folder + "/log'";
    EXPECT_EQ(std::system(command.c_str()), 0);  // NOLINT(cert-env33-c,concurrency-mt-unsafe): a test of its own
    log_ = text_of(folder_ / "log");
    return text_of(folder_ / "dom");
  }

  std::string log_;
};

// Two devices, one of them at two wave sizes and two numbers of elements: every section there is.
std::string page() {
  Json sizes = test::bench_document();
  sizes["runs"][0]["wave_size"] = 64;
  Json small = sizes["runs"][0]["benchmarks"][0];
  small["count"] = 256;
  sizes["runs"][0]["benchmarks"].push_back(small);
  const Json all =
      merge_documents({test::bench_document(), sizes, test::bench_document("Another", "b"), test::decide_document()});
  return html(page_of(read_measurements(all, "x.json").value()));
}

TEST_F(Browser, OpensThePageWithoutComplaint) {
  const std::string elements = open(page());
  EXPECT_THAT(log_, Not(HasSubstr("CONSOLE")));
  for (const std::string id : {"environment", "times", "scaling", "comparison", "wave-sizes", "exchange", "counts",
                               "registers", "decisions"}) {
    EXPECT_THAT(elements, HasSubstr("<h2 id=\"" + id + "\">"));
  }
  EXPECT_THAT(elements, HasSubstr("<th scope=\"col\"><button type=\"button\">ms</button></th>"));
}

TEST_F(Browser, SortsTables) {
  std::string text = page();
  // The times of the methods, by the button of their second column; they stand in another order.
  text.insert(text.find("</body>"),
              "<script>document.querySelectorAll('section')[1].querySelectorAll('th button')[1].click();</script>");
  const std::string elements = open(text);
  EXPECT_THAT(elements, HasSubstr("aria-sort=\"ascending\""));
  const auto memory = elements.find("<th scope=\"row\">memory");
  const auto shuffle = elements.find("<th scope=\"row\">shuffle");
  const auto groupshared = elements.find("<th scope=\"row\">groupshared");
  ASSERT_NE(groupshared, std::string::npos);
  EXPECT_LT(memory, shuffle);
  EXPECT_LT(shuffle, groupshared);
}

}  // namespace
}  // namespace crosslane::report
