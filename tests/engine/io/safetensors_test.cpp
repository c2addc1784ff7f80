#include "engine/io/safetensors.h"

#include "tests/support/temporary_folder.h"

#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <cstring>

using namespace headlight;

namespace {

std::string with_length(const std::string& header, const std::string& data, std::uint64_t length) {
    std::string bytes(8, '\0');
    std::memcpy(bytes.data(), &length, 8);
    return bytes + header + data;
}

std::string file_of(const std::string& header, const std::string& data) {
    return with_length(header, data, header.size());
}

// The key of the error that opening such a file gives; empty: it opens.
std::string error_of(const std::string& bytes) {
    const TemporaryFolder folder;
    const Result<SafetensorsFile> file = SafetensorsFile::open(folder.write("x.safetensors", bytes));
    if (file) return "";
    CHECK(file.error().arguments.at(0) == (folder / "x.safetensors").string());
    return file.error().key;
}

std::string error_of(const std::string& header, std::size_t data_bytes) {
    return error_of(file_of(header, std::string(data_bytes, '\0')));
}

template <class T>
std::string bytes_of(const std::vector<T>& numbers) {
    std::string bytes(numbers.size() * sizeof(T), '\0');
    std::memcpy(bytes.data(), numbers.data(), bytes.size());
    return bytes;
}

std::vector<Real> numbers_of(const std::string& dtype, const std::string& data, Index count) {
    const TemporaryFolder folder;
    const std::string header = R"({"x":{"dtype":")" + dtype + R"(","shape":[)" + std::to_string(count)
                               + R"(],"data_offsets":[0,)" + std::to_string(data.size()) + "]}}";
    const Result<SafetensorsFile> file =
        SafetensorsFile::open(folder.write("x.safetensors", file_of(header, data)));
    REQUIRE(file);
    std::vector<Real> numbers(std::size_t(count), Real(-1));
    REQUIRE(file->read(*file->find("x"), numbers.data()));
    return numbers;
}

} // namespace

TEST_CASE("what is written is read again: names, shapes, numbers, metadata") {
    const TemporaryFolder folder;
    const std::vector<Real> matrix = {1, -2, Real(0.5), 0, 3, Real(1e-20)}, scalar = {7};
    const std::map<std::string, std::string> metadata = {{"source_tokens", R"(["é","\"",""])"},
                                                         {"ção", "\n"}};
    REQUIRE(write_safetensors(folder / "x.safetensors",
                              {{"m/\"ç", {2, 3}, matrix.data()},
                               {"one", {}, scalar.data()},
                               {"none", {4, 0}, nullptr},
                               {"heads", {1, 2, 3}, matrix.data()}},
                              metadata));
    CHECK(folder.count_files() == 1);
    const std::string bytes = folder.read("x.safetensors");
    std::uint64_t length = 0;
    std::memcpy(&length, bytes.data(), 8);
    CHECK(length % 8 == 0);
    CHECK(bytes.size() == 8 + length + 13 * 4);

    const Result<SafetensorsFile> file = SafetensorsFile::open(folder / "x.safetensors");
    REQUIRE(file);
    CHECK(file->metadata() == metadata);
    REQUIRE(file->entries().size() == 4);
    CHECK(file->find("none")->count == 0);
    CHECK(file->find("m") == nullptr);
    CHECK(file->find("heads")->shape == std::vector<Index>{1, 2, 3});
    std::vector<Real> read(6);
    REQUIRE(file->read(*file->find("m/\"ç"), read.data()));
    for (std::size_t i = 0; i < 6; ++i) CHECK(float(read[i]) == float(matrix[i]));
    REQUIRE(file->read(*file->find("one"), read.data()));
    CHECK(read[0] == 7);
}

TEST_CASE("a file without tensors is a file") {
    const TemporaryFolder folder;
    REQUIRE(write_safetensors(folder / "x.safetensors", {}));
    CHECK(SafetensorsFile::open(folder / "x.safetensors")->entries().empty());
}

TEST_CASE("more numbers than a chunk holds arrive in their places") {
    const TemporaryFolder folder;
    std::vector<Real> many(50'001);
    for (std::size_t i = 0; i < many.size(); ++i) many[i] = Real(i);
    REQUIRE(write_safetensors(folder / "x.safetensors", {{"x", {50'001}, many.data()}}));
    const Result<SafetensorsFile> file = SafetensorsFile::open(folder / "x.safetensors");
    std::vector<Real> read(many.size());
    REQUIRE(file->read(file->entries()[0], read.data()));
    CHECK(read == many);
}

TEST_CASE("half precision, brain floats and doubles are read exactly") {
    const std::vector<std::uint16_t> halves = {0x3C00, 0xC000, 0x3555, 0x7BFF, 0x0001, 0x83FF, 0x8000};
    const std::vector<Real> half = numbers_of("F16", bytes_of(halves), 7);
    CHECK(half == std::vector<Real>{1, -2, Real(0x1.554p-2), 65504, Real(0x1p-24), Real(-0x1.FF8p-15), 0});
    CHECK(std::signbit(half[6]));
    const std::vector<Real> strange =
        numbers_of("F16", bytes_of(std::vector<std::uint16_t>{0x7C00, 0xFC00, 0x7E00}), 3);
    CHECK((std::isinf(strange[0]) && strange[0] > 0));
    CHECK((std::isinf(strange[1]) && strange[1] < 0));
    CHECK(std::isnan(strange[2]));
    CHECK(numbers_of("BF16", bytes_of(std::vector<std::uint16_t>{0x3F80, 0xC0A0, 0x0000}), 3)
          == std::vector<Real>{1, -5, 0});
    CHECK(numbers_of("F32", bytes_of(std::vector<float>{1.5f, -2.25f}), 2) == std::vector<Real>{1.5, -2.25});
    CHECK(numbers_of("F64", bytes_of(std::vector<double>{0.5, 1e10}), 2)
          == std::vector<Real>{Real(0.5), Real(1e10)});
}

TEST_CASE("whole numbers are allowed in a file and are not weights") {
    const TemporaryFolder folder;
    const Result<SafetensorsFile> file = SafetensorsFile::open(folder.write(
        "x.safetensors", file_of(R"({"ids":{"dtype":"I64","shape":[1],"data_offsets":[0,8]}})", "12345678")));
    REQUIRE(file);
    Real number = 0;
    CHECK(file->read(file->entries()[0], &number).error().key == "error.safetensors_not_numbers");
}

TEST_CASE("a file cut anywhere is an error, never a crash") {
    const TemporaryFolder folder;
    const std::vector<Real> numbers(6);
    REQUIRE(write_safetensors(folder / "x.safetensors",
                              {{"a", {2, 2}, numbers.data()}, {"b", {2}, numbers.data()}}, {{"note", "é"}}));
    const std::string whole = folder.read("x.safetensors");
    for (std::size_t size = 0; size < whole.size(); ++size) {
        CAPTURE(size);
        CHECK(error_of(whole.substr(0, size)) != "");
    }
    CHECK(error_of(whole) == "");
    CHECK(error_of(whole + "x") == "error.safetensors_hole");
}

TEST_CASE("a header length that is not the header's is an error") {
    const std::string header = R"({"x":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}})";
    CHECK(error_of(with_length(header, "1234", header.size())) == "");
    for (std::uint64_t length : {std::uint64_t(1) << 62, ~std::uint64_t(0), std::uint64_t(1) << 63,
                                 std::uint64_t(header.size() + 5), std::uint64_t(100'000'001)})
        CHECK(error_of(with_length(header, "1234", length)) == "error.safetensors_header_length");
    CHECK(error_of(with_length(header, "1234", 0)) == "error.json_syntax");
    CHECK(error_of(with_length(header, "1234", header.size() - 1)) == "error.json_syntax");
    CHECK(error_of(with_length(header, "1234", header.size() + 4)) == "error.json_syntax");
}

TEST_CASE("a header that is not a JSON object of tensors is an error") {
    CHECK(error_of("[]", 0) == "error.safetensors_header");
    CHECK(error_of("\xFF\xFE", 0) == "error.json_syntax");
    CHECK(error_of(std::string(1'000'000, '['), 0) == "error.json_too_deep");
    CHECK(error_of(R"({"x":)" + std::string(100, '[') + std::string(100, ']') + "}", 0)
          == "error.json_too_deep");
    CHECK(error_of(R"({"x":1e999})", 0) == "error.json_number");
    CHECK(error_of(R"({"__metadata__":{"a":1}})", 0) == "error.safetensors_metadata");
    CHECK(error_of(R"({"__metadata__":[]})", 0) == "error.safetensors_metadata");
    for (const char* entry : {"7", "[]", "{}", R"({"dtype":"F32","shape":[1]})",
                              R"({"dtype":4,"shape":[1],"data_offsets":[0,4]})",
                              R"({"dtype":"F32","shape":1,"data_offsets":[0,4]})",
                              R"({"dtype":"F32","shape":[-1],"data_offsets":[0,4]})",
                              R"({"dtype":"F32","shape":[1.0],"data_offsets":[0,4]})",
                              R"({"dtype":"F32","shape":["1"],"data_offsets":[0,4]})",
                              R"({"dtype":"F32","shape":[1],"data_offsets":[0]})",
                              R"({"dtype":"F32","shape":[1],"data_offsets":[0,4,8]})",
                              R"({"dtype":"F32","shape":[1],"data_offsets":[4,0]})",
                              R"({"dtype":"F32","shape":[1],"data_offsets":[-4,0]})",
                              R"({"dtype":"F32","shape":[1],"data_offsets":[0,18446744073709551615]})",
                              R"({"dtype":"F32","shape":[4611686018427387904,4],"data_offsets":[0,4]})",
                              R"({"dtype":"F32","shape":[4611686018427387904],"data_offsets":[0,4]})",
                              R"({"dtype":"F32","shape":[99999999999999999999],"data_offsets":[0,4]})"}) {
        CAPTURE(entry);
        CHECK(error_of(std::string(R"({"x":)") + entry + "}", 4) == "error.safetensors_entry");
    }
    CHECK(error_of(R"({"x":{"dtype":"F33","shape":[1],"data_offsets":[0,4]}})", 4)
          == "error.safetensors_dtype");
}

TEST_CASE("places outside the file, of a wrong size, over each other or with holes are errors") {
    const auto header = [](const std::string& x, const std::string& y) {
        return R"({"x":{"dtype":"F32","shape":[2],"data_offsets":)" + x
               + R"(},"y":{"dtype":"F32","shape":[1],"data_offsets":)" + y + "}}";
    };
    CHECK(error_of(header("[0,8]", "[8,12]"), 12) == "");
    CHECK(error_of(header("[4,12]", "[0,4]"), 12) == ""); // in any order
    CHECK(error_of(header("[0,8]", "[8,12]"), 11) == "error.safetensors_outside");
    CHECK(error_of(header("[0,8]", "[8,12]"), 13) == "error.safetensors_hole");
    CHECK(error_of(header("[0,8]", "[12,16]"), 16) == "error.safetensors_hole");
    CHECK(error_of(header("[4,12]", "[12,16]"), 16) == "error.safetensors_hole");
    CHECK(error_of(header("[0,8]", "[4,8]"), 8) == "error.safetensors_overlap");
    CHECK(error_of(header("[0,8]", "[7,11]"), 12) == "error.safetensors_overlap");
    CHECK(error_of(header("[0,8]", "[8,10]"), 10) == "error.safetensors_size");
    CHECK(error_of(header("[0,8]", "[8,12]") + "    ", 12) == ""); // padding
}

TEST_CASE("a name that stands twice is an error") {
    CHECK(error_of(R"({"x":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},)"
                   R"("x":{"dtype":"F32","shape":[1],"data_offsets":[4,8]}})",
                   8)
          == "error.json_key_twice");
}

TEST_CASE("a checkpoint made elsewhere opens") {
    const Result<SafetensorsFile> file =
        SafetensorsFile::open(HEADLIGHT_SOURCE_DIR "/tests/data/nano-sort/model.safetensors");
    REQUIRE(file);
    CHECK(file->metadata().at("format") == "pt");
    const TensorEntry* head = file->find("lm_head.weight");
    REQUIRE(head != nullptr);
    CHECK(to_string(head->shape) == "[3, 48]");
    std::vector<Real> numbers(std::size_t(head->count));
    REQUIRE(file->read(*head, numbers.data()));
    for (Real x : numbers) CHECK(std::isfinite(x));
}

TEST_CASE("writing where one may not is an error that names the place") {
    const TemporaryFolder folder;
    const Result<Done> written = write_safetensors(folder / "none/x.safetensors", {});
    CHECK(written.error().key == "error.folder_missing");
    CHECK(written.error().arguments[0] == (folder / "none").string());
}

TEST_CASE("numbers are rounded to the nearest half, and every half is its own") {
    for (unsigned bits = 0; bits < 0x10000; ++bits) {
        const float number = from_f16(std::uint16_t(bits));
        if (!std::isnan(number) && to_f16(number) != bits) CHECK(to_f16(number) == bits);
    }
    CHECK(to_f16(1 + 0x1p-11f) == 0x3C00); // in the middle: to the even one
    CHECK(to_f16(1 + 0x3p-11f) == 0x3C02);
    CHECK(to_f16(1 + 0x1.2p-11f) == 0x3C01); // nearer
    CHECK(to_f16(0x1p-25f) == 0x0000);
    CHECK(to_f16(0x1.8p-25f) == 0x0001);
    CHECK(to_f16(0x1.FFFp-15f) == 0x0400); // up to the first that is not subnormal
    CHECK(to_f16(65519) == 0x7BFF);
    CHECK(to_f16(-65520) == 0xFC00);
    CHECK(std::isnan(from_f16(to_f16(std::numeric_limits<float>::quiet_NaN()))));

    const TemporaryFolder folder;
    std::vector<Real> numbers(10'000);
    for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = Real(std::sin(double(i)));
    REQUIRE(write_safetensors(folder / "h.safetensors", {{"h", {100, 100}, numbers.data(), StoredAs::f16},
                                                         {"x", {2}, numbers.data()}}));
    CHECK(std::filesystem::file_size(folder / "h.safetensors") < 20'300);
    const Result<SafetensorsFile> file = SafetensorsFile::open(folder / "h.safetensors");
    REQUIRE(file);
    CHECK(file->find("h")->dtype == "F16");
    std::vector<Real> read(numbers.size());
    REQUIRE(file->read(*file->find("h"), read.data()));
    for (std::size_t i = 0; i < numbers.size(); ++i)
        if (read[i] != Real(from_f16(to_f16(float(numbers[i]))))) FAIL_CHECK(i);
    std::vector<Real> exact(2);
    REQUIRE(file->read(*file->find("x"), exact.data()));
    CHECK(exact[1] == Real(float(numbers[1])));
}
