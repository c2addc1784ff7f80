// A value as text that other programs and papers take.
#pragma once

#include "engine/graph/edits.h"
#include "engine/tensor/tensor.h"

#include <string>
#include <vector>

namespace headlight {

enum class ExportFormat {
    tsv,      // tab-separated, every digit
    numpy,    // np.array([[…]], dtype=np.float32), every digit
    latex,    // amsmath's bmatrix or pmatrix; with labels an array
    markdown, // a table
    csv,      // comma-separated (RFC 4180), every digit
    tabular,  // LaTeX's tabular, for text beside which no amsmath is loaded
};

struct ExportOptions {
    ExportFormat format = ExportFormat::tsv;
    Region region = {};          // must fit the value; a row is a matrix of one row
    int decimals = 2;            // of latex, tabular and markdown
    bool round_brackets = false; // latex: pmatrix
    // Of the whole value's rows, columns and batch (heads), as many as it has; empty: none.
    std::vector<std::string> row_labels = {}, column_labels = {}, batch_labels = {};
};

// "Every digit" is the shortest text that reads back as the same float, bit for bit. −∞, ∞ and NaN are
// "-inf", "inf", "nan" (tsv, csv), "-np.inf", … (numpy), "-\infty", … (latex, tabular), "−∞", … (markdown).
// Several matrices (heads) are one table with a column more for the batch (tsv, csv, markdown, tabular), one
// array of three dimensions (numpy), or matrices one after another (latex). Labels of numpy are lists before
// the array, `rows = […]`, `columns = […]`, `batch = […]`.
std::string export_text(const Tensor& value, const ExportOptions& options);

// The bytes of a file of NumPy (.npy, version 1.0): float32, little-endian, in C order; of shape [rows,
// columns], with `batches` [batch, rows, columns].
std::string npy_bytes(const Tensor& value, bool batches);

// The shortest decimal number that reads back as the same x; "-inf", "inf", "nan".
std::string shortest_text(Real x);

} // namespace headlight
