#include "engine/io/json_reader.h"

#include <doctest/doctest.h>

#include <limits>
#include <string>
#include <vector>

using headlight::JsonTree;

TEST_CASE("a tree is written in the order of its keys, on one line or indented") {
    JsonTree tree{{"name", "é \"x\""}, {"steps", 12L}, {"flag", false}, {"rate", 0.1}};
    tree["list"] = JsonTree::list({1, 2.0, "three", JsonTree::list()});
    tree["in"]["deep"] = std::vector<std::string>{"a", "b"};
    tree["none"];
    tree["steps"] = std::size_t(13); // in its place
    CHECK(tree.text()
          == R"({"name":"é \"x\"","steps":13,"flag":false,"rate":0.1,"list":[1,2.0,"three",[]],)"
             R"("in":{"deep":["a","b"]},"none":{}})");
    const JsonTree small{{"a", JsonTree::list({1, 2})}, {"b", JsonTree()}};
    CHECK(small.text(2) == "{\n  \"a\": [\n    1,\n    2\n  ],\n  \"b\": {}\n}");
}

TEST_CASE("what JSON has no word for is null, and bytes that are no text become signs that are") {
    CHECK(JsonTree(std::numeric_limits<double>::infinity()).text() == "null");
    CHECK(JsonTree(1e-9).text() == "1e-09");
    CHECK(JsonTree("a\xff"
                   "b\n")
              .text()
          == "\"a\uFFFDb\\n\"");
}
