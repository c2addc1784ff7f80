#include "engine/inspect/export.h"

#include "engine/inspect/numbers.h"
#include "engine/inspect/region_cells.h"

#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <string_view>

namespace headlight {

namespace {

using Labels = std::vector<std::string>;

void replace_all(std::string& text, std::string_view what, std::string_view by) {
    for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + by.size()))
        text.replace(at, what.size(), by);
}

// Characters that mean something to the format, said otherwise.
using Escapes = std::vector<std::pair<char, std::string_view>>;

std::string escaped(const std::string& text, const Escapes& escapes) {
    std::string result;
    for (const char c : text) {
        std::string_view by(&c, 1);
        for (const auto& [special, instead] : escapes)
            if (c == special) by = instead;
        result += by;
    }
    return result;
}

const Escapes tsv_escapes = {{'\t', " "}, {'\n', " "}, {'\r', " "}};
const Escapes markdown_escapes = {{'|', "\\|"},  {'\\', "\\\\"}, {'*', "\\*"}, {'_', "\\_"},
                                  {'<', "&lt;"}, {'>', "&gt;"},  {'`', "\\`"}, {'\n', " "}};
const Escapes python_escapes = {{'\\', "\\\\"}, {'"', "\\\""}, {'\n', "\\n"}, {'\r', "\\r"}, {'\t', "\\t"}};
const Escapes latex_escapes = {{'\\', "\\textbackslash{}"},
                               {'{', "\\{"},
                               {'}', "\\}"},
                               {'$', "\\$"},
                               {'&', "\\&"},
                               {'#', "\\#"},
                               {'%', "\\%"},
                               {'_', "\\_"},
                               {'^', "\\textasciicircum{}"},
                               {'~', "\\textasciitilde{}"},
                               {'<', "\\textless{}"},
                               {'>', "\\textgreater{}"},
                               {'\n', " "}};

std::string numpy_number(Real x) {
    if (std::isfinite(x)) return shortest_text(x);
    return std::isnan(x) ? "np.nan" : x < 0 ? "-np.inf" : "np.inf";
}

std::string latex_number(Real x, int decimals) {
    std::string text = plain_number_text(x, decimals);
    replace_all(text, "inf", "\\infty");
    replace_all(text, "nan", "\\mathrm{NaN}");
    if (const auto e = text.find('e'); e != std::string::npos)
        text = text.substr(0, e) + " \\times 10^{" + text.substr(e + 1) + "}";
    return text;
}

std::string latex_label(const std::string& label) { return "\\text{" + escaped(label, latex_escapes) + "}"; }

// What is exported: the parts of each dimension.
struct Part {
    const Tensor& value;
    const ExportOptions& options;
    IndexRange batches, rows, columns;

    Part(const Tensor& all, const ExportOptions& o)
        : value(all),
          options(o),
          batches(index_range(o.region.batch, all.batch())),
          rows(index_range(o.region.row, all.rows())),
          columns(index_range(o.region.column, all.columns())) {}

    const std::string& row_label(Index r) const { return options.row_labels[std::size_t(r)]; }
    const std::string& column_label(Index c) const { return options.column_labels[std::size_t(c)]; }
    bool has_batch_column() const { return batches.size() > 1; }
    std::string batch_label(Index b) const {
        return options.batch_labels.empty() ? std::to_string(b) : options.batch_labels[std::size_t(b)];
    }
};

// Rows of cells, as text: labels before numbers, and the columns' labels above them.
template <class Number>
std::vector<Labels> table(const Part& part, const Escapes& escapes, Number number) {
    const bool row_labels = !part.options.row_labels.empty();
    std::vector<Labels> lines;
    if (!part.options.column_labels.empty()) {
        Labels& head = lines.emplace_back();
        head.resize(std::size_t(part.has_batch_column()) + std::size_t(row_labels));
        for (Index c = part.columns.first; c < part.columns.end; ++c)
            head.push_back(escaped(part.column_label(c), escapes));
    }
    for (Index b = part.batches.first; b < part.batches.end; ++b)
        for (Index r = part.rows.first; r < part.rows.end; ++r) {
            Labels& line = lines.emplace_back();
            if (part.has_batch_column()) line.push_back(escaped(part.batch_label(b), escapes));
            if (row_labels) line.push_back(escaped(part.row_label(r), escapes));
            for (Index c = part.columns.first; c < part.columns.end; ++c)
                line.push_back(number(part.value(b, r, c)));
        }
    return lines;
}

std::string joined(const Labels& cells, std::string_view between) {
    std::string text;
    for (std::size_t i = 0; i < cells.size(); ++i) (i ? text.append(between) : text).append(cells[i]);
    return text;
}

std::string tsv(const Part& part) {
    std::string text;
    for (const Labels& line : table(part, tsv_escapes, shortest_text)) text += joined(line, "\t") + "\n";
    return text;
}

// In quotes where a comma, a quote or the end of a line would be taken for something else.
std::string csv_cell(const std::string& text) {
    if (text.find_first_of(",\"\r\n") == text.npos) return text;
    std::string quoted = text;
    replace_all(quoted, "\"", "\"\"");
    return "\"" + quoted + "\"";
}

std::string csv(const Part& part) {
    std::string text;
    for (Labels& line : table(part, {}, shortest_text)) {
        for (std::string& cell : line) cell = csv_cell(cell);
        text += joined(line, ",") + "\n";
    }
    return text;
}

std::string tabular(const Part& part) {
    const auto number = [&](Real x) { return "$" + latex_number(x, part.options.decimals) + "$"; };
    const std::vector<Labels> lines = table(part, latex_escapes, number);
    const std::size_t labels =
        std::size_t(part.has_batch_column()) + std::size_t(!part.options.row_labels.empty());
    const std::size_t columns = labels + std::size_t(part.columns.size());
    std::string text = "\\begin{tabular}{";
    for (std::size_t c = 0; c < columns; ++c) text += c < labels ? "l" : "r";
    text += "}\n\\hline\n";
    for (std::size_t i = 0; i < lines.size(); ++i)
        text += joined(lines[i], " & ") + " \\\\"
                + (i == 0 && !part.options.column_labels.empty() ? " \\hline\n" : "\n");
    return text + "\\hline\n\\end{tabular}\n";
}

std::string markdown(const Part& part) {
    const auto number = [&](Real x) { return number_text(x, part.options.decimals); };
    std::vector<Labels> lines = table(part, markdown_escapes, number);
    // A Markdown table has a head, be it empty.
    if (part.options.column_labels.empty() && !lines.empty())
        lines.insert(lines.begin(), Labels(lines.front().size()));
    const std::size_t labels =
        std::size_t(part.has_batch_column()) + std::size_t(!part.options.row_labels.empty());
    std::string text;
    for (std::size_t i = 0; i < lines.size(); ++i) {
        text += "| " + joined(lines[i], " | ") + " |\n";
        if (i > 0) continue;
        for (std::size_t c = 0; c < lines[i].size(); ++c) text += c < labels ? "| :--- " : "| ---: ";
        text += "|\n";
    }
    return text;
}

std::string latex(const Part& part) {
    const ExportOptions& options = part.options;
    const bool row_labels = !options.row_labels.empty(), column_labels = !options.column_labels.empty();
    const bool labels = row_labels || column_labels;
    const std::string environment = labels ? "array" : options.round_brackets ? "pmatrix" : "bmatrix";
    std::string text;
    for (Index b = part.batches.first; b < part.batches.end; ++b) {
        if (!options.batch_labels.empty()) text += latex_label(part.batch_label(b)) + ":\\quad\n";
        text += "\\begin{" + environment + "}";
        if (labels)
            text += "{" + std::string(row_labels ? "r|" : "")
                    + std::string(std::size_t(part.columns.size()), 'r') + "}";
        text += "\n";
        if (column_labels) {
            Labels head(row_labels ? 1 : 0);
            for (Index c = part.columns.first; c < part.columns.end; ++c)
                head.push_back(latex_label(part.column_label(c)));
            text += joined(head, " & ") + " \\\\ \\hline\n";
        }
        for (Index r = part.rows.first; r < part.rows.end; ++r) {
            Labels line;
            if (row_labels) line.push_back(latex_label(part.row_label(r)));
            for (Index c = part.columns.first; c < part.columns.end; ++c)
                line.push_back(latex_number(part.value(b, r, c), options.decimals));
            text += joined(line, " & ") + (r + 1 < part.rows.end ? " \\\\\n" : "\n");
        }
        text += "\\end{" + environment + "}" + (b + 1 < part.batches.end ? ",\n" : "\n");
    }
    return text;
}

std::string python_list(std::string_view variable, const Labels& labels, IndexRange range) {
    if (labels.empty()) return {};
    Labels quoted;
    for (Index i = range.first; i < range.end; ++i)
        quoted.push_back("\"" + escaped(labels[std::size_t(i)], python_escapes) + "\"");
    return std::string(variable) + " = [" + joined(quoted, ", ") + "]\n";
}

std::string numpy(const Part& part) {
    const ExportOptions& options = part.options;
    std::string text = python_list("batch", options.batch_labels, part.batches)
                       + python_list("rows", options.row_labels, part.rows)
                       + python_list("columns", options.column_labels, part.columns);
    if (!text.empty()) text += "values = ";
    const bool cube = part.batches.size() > 1;
    text += cube ? "np.array([[" : "np.array([";
    const std::string indent(cube ? 11 : 10, ' ');
    for (Index b = part.batches.first; b < part.batches.end; ++b) {
        if (b > part.batches.first) text += "],\n" + indent.substr(1) + "[";
        for (Index r = part.rows.first; r < part.rows.end; ++r) {
            Labels line;
            for (Index c = part.columns.first; c < part.columns.end; ++c)
                line.push_back(numpy_number(part.value(b, r, c)));
            text += (r > part.rows.first ? ",\n" + indent : "") + "[" + joined(line, ", ") + "]";
        }
    }
    return text + (cube ? "]]" : "]") + ", dtype=np." + (sizeof(Real) == 4 ? "float32" : "float64") + ")\n";
}

} // namespace

std::string shortest_text(Real x) {
    if (!std::isfinite(x)) return std::isnan(x) ? "nan" : x < 0 ? "-inf" : "inf";
    std::array<char, 64> buffer;
    char* const first = buffer.data();
    char* end = std::to_chars(first, first + buffer.size(), x).ptr;
    // Most readers go through double, and rounding twice could in principle end at a neighbour.
    double read = 0;
    std::from_chars(first, end, read);
    if (Real(read) != x) end = std::to_chars(first, first + buffer.size(), double(x)).ptr;
    return {first, end};
}

std::string npy_bytes(const Tensor& value, bool batches) {
    const auto dimension = [](Index size) { return std::to_string(size); };
    std::string header = "{'descr': '<f4', 'fortran_order': False, 'shape': ("
                         + (batches ? dimension(value.batch()) + ", " : std::string())
                         + dimension(value.rows()) + ", " + dimension(value.columns()) + "), }";
    constexpr std::size_t before = 10,
                          alignment = 64; // magic, version and length; numbers begin at a multiple
    header.append(alignment - 1 - (before + header.size()) % alignment, ' ');
    header += '\n';
    std::string bytes("\x93NUMPY\x01\x00", 8);
    bytes += char(header.size() & 255);
    bytes += char(header.size() >> 8);
    bytes += header;
    const Index batch = batches ? value.batch() : 1;
    for (Index b = 0; b < batch; ++b)
        for (Index r = 0; r < value.rows(); ++r)
            for (Index c = 0; c < value.columns(); ++c) {
                const auto bits = std::bit_cast<std::uint32_t>(float(value(b, r, c)));
                for (int shift = 0; shift < 32; shift += 8) bytes += char(bits >> shift & 255);
            }
    return bytes;
}

std::string export_text(const Tensor& value, const ExportOptions& options) {
    HEADLIGHT_CHECK(options.region.fits(value.shape()),
                    "export: no such part of a value of " + to_string(value.shape()));
    const auto fits = [](const Labels& labels, Index size) {
        return labels.empty() || Index(labels.size()) == size;
    };
    HEADLIGHT_CHECK(fits(options.row_labels, value.rows()) && fits(options.column_labels, value.columns())
                        && fits(options.batch_labels, value.batch()),
                    "export: labels do not fit " + to_string(value.shape()));
    const Part part(value, options);
    switch (options.format) {
    case ExportFormat::tsv:
        return tsv(part);
    case ExportFormat::numpy:
        return numpy(part);
    case ExportFormat::latex:
        return latex(part);
    case ExportFormat::markdown:
        return markdown(part);
    case ExportFormat::csv:
        return csv(part);
    case ExportFormat::tabular:
        return tabular(part);
    }
    return {};
}

} // namespace headlight
