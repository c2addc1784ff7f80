#include "app/session/exporting.h"

#include "app/session/session_sweep.h"
#include "app/session/value_names.h"
#include "engine/io/file.h"

#include <algorithm>
#include <cctype>

namespace headlight {

namespace {

// The matrix of the head that is looked at, or those of all.
std::vector<MatrixPart> matrices_of(const Session& session, const Node& node) {
    std::vector<MatrixPart> parts;
    const Index head = session.view().head;
    if (node.axes.per_head && head < 0)
        for (Index place = 0; place < node.value.batch(); ++place) parts.push_back(whole_matrix(node, place));
    else
        parts.push_back(whole_matrix(node, place_of_head(session.model().map(), node, head)));
    return parts;
}

constexpr std::pair<std::string_view, ExportFile> file_names[] = {
    {"png", ExportFile::png}, {"svg", ExportFile::svg}, {"pdf", ExportFile::pdf}, {"csv", ExportFile::csv},
    {"tsv", ExportFile::tsv}, {"npy", ExportFile::npy}, {"tex", ExportFile::tex}, {"md", ExportFile::md}};
constexpr int largest_scale = 4;
constexpr int decimals_of_text = 4;

// "FILE.svg 2 printable": the name, which may have blanks in it, and what follows it.
struct FileAndOptions {
    std::filesystem::path file;
    ExportFile kind = ExportFile::png;
    std::vector<std::string> options;
};

Result<FileAndOptions> read_file_and_options(std::string_view rest) {
    // Up to the last word that ends like a file; as it is written, blanks and all.
    struct Word {
        std::string text;
        std::size_t end; // in `rest`
    };
    std::vector<Word> words;
    for (std::string_view left = trim(rest); !left.empty();) {
        std::string word = take_word(left);
        words.push_back({std::move(word), trim(rest).size() - left.size()});
    }
    const auto last = std::find_if(words.rbegin(), words.rend(),
                                   [](const Word& word) { return export_file_of(word.text).has_value(); });
    if (last == words.rend()) return Error{"error.export_format", {std::string(rest)}};
    FileAndOptions read;
    const bool is_first = last + 1 == words.rend();
    read.file = is_first ? last->text : std::string(trim(trim(rest).substr(0, last->end)));
    read.kind = *export_file_of(last->text);
    for (auto word = last.base(); word != words.end(); ++word) read.options.push_back(word->text);
    return read;
}

Error usage_of_export() {
    return {
        "error.command_usage",
        {"export shown|card|page|canvas|part|sweep|attribution|PATH FILE [1|2|3|4] [printable], export view "
         "NAME FILE [1|2|3|4] "
         "[printable], export film FILE.webm|FILE.gif|FILE.png|FOLDER/ [2], export story FILE.pdf [FIRST "
         "LAST] "
         "[printable], export lesson FILE.pdf [printable]"}};
}

// "2 printable"; numbers of a story are steps, as the window counts them.
Result<Done> read_options(ExportRequest& request, const std::vector<std::string>& words, Index steps) {
    std::vector<Index> numbers;
    for (const std::string& word : words) {
        if (word == "printable") {
            request.printable = true;
            continue;
        }
        const Result<long> number = whole_number_of(word);
        if (!number) return usage_of_export();
        numbers.push_back(*number);
    }
    if (request.subject == ExportSubject::story) {
        if (numbers.size() > 2) return usage_of_export();
        const Index first = numbers.empty() ? 1 : numbers.front();
        const Index last = numbers.size() < 2 ? (numbers.empty() ? steps : first) : numbers.back();
        for (const Index step : {first, last})
            if (step < 1 || step > steps)
                return Error{"error.out_of_range", {"export", "1", std::to_string(steps)}};
        request.first = std::min(first, last) - 1;
        request.last = std::max(first, last) - 1;
        return Done{};
    }
    if (numbers.size() > 1) return usage_of_export();
    if (numbers.empty()) return Done{};
    if (numbers.front() < 1 || numbers.front() > largest_scale)
        return Error{"error.out_of_range", {"export", "1", std::to_string(largest_scale)}};
    request.scale = int(numbers.front());
    return Done{};
}

// What stands beside a table's rows: tokens, else numbers.
std::vector<std::string> table_labels(const Session& session, const Node& node, bool rows, Index first,
                                      Index last) {
    const std::vector<std::string> all = axis_labels(session, node, rows);
    std::vector<std::string> labels;
    for (Index i = first; i <= last; ++i) labels.push_back(place_label(all, i));
    return labels;
}

ExportFormat format_of(ExportFile kind) {
    return kind == ExportFile::csv   ? ExportFormat::csv
           : kind == ExportFile::tsv ? ExportFormat::tsv
           : kind == ExportFile::tex ? ExportFormat::tabular
                                     : ExportFormat::markdown;
}

std::string table_of(const Session& session, const std::vector<MatrixPart>& parts, ExportFile kind) {
    const MatrixPart& part = parts.front();
    const Node& node = *session.find(part.path);
    const PartNumbers sheets(node, parts);
    const bool transposed = is_drawn_transposed(node);
    const Cell first = drawn(node, {part.head, part.row0, part.column0}),
               last = drawn(node, {part.head, part.row1, part.column1});
    const bool all_heads = Index(parts.size()) == node.value.batch(); // as many dimensions as in a trace
    if (kind == ExportFile::npy) return npy_bytes(sheets.tensor, node.axes.per_head && all_heads);
    ExportOptions options;
    options.decimals = decimals_of_text;
    options.row_labels = table_labels(session, node, !transposed, first.row, last.row);
    options.column_labels = table_labels(session, node, transposed, first.column, last.column);
    options.format = format_of(kind);
    return export_text(sheets.tensor, options);
}

Result<Done> write_table(Session& session, const ExportRequest& request) {
    if (request.parts.empty()) return Error{"error.export_no_numbers", {request.file.string()}};
    const Result<Done> written =
        write_file_atomically(request.file, table_of(session, request.parts, request.kind));
    if (written) session.tell("export.saved", {std::filesystem::absolute(request.file).string()});
    return written;
}

// What several values, or none, hold: a table that has no path.
struct NamedTable {
    KeptTensor numbers;
    std::vector<std::string> rows, columns;
};

// A row for each attention or value, a column for each head or position: the changes on the scale that is
// shown.
NamedTable sweep_table(const Session& session, const SessionSweep& done) {
    NamedTable table{
        done.sweep.changes(measure_of(done, session.view().heads.measure)), done.sweep.plan().rows, {}};
    for (Index c = 0; c < table.numbers.shape.columns; ++c) table.columns.push_back(std::to_string(c));
    return table;
}

// A row for each part of the logit.
NamedTable attribution_table(const Session& session, const Attribution& attribution) {
    NamedTable table;
    for (const AttributedPart& part : attribution.parts)
        for (Index head = 0; head < part.share->value.batch(); ++head) {
            const bool is_head = part.kind == AttributedPart::Kind::heads;
            table.rows.push_back(part.value->path + (is_head ? " " + std::to_string(head) : ""));
            table.numbers.numbers.push_back(part.share->value(head, 0, 0));
        }
    const SweepTarget target = session.attributed();
    const auto label = [&](TokenId word) {
        return said_label(session.model().files, session.model().map(), word);
    };
    table.columns = {label(target.word) + (target.against ? " − " + label(*target.against) : "")};
    table.numbers.shape = {1, Index(table.rows.size()), 1};
    return table;
}

Result<Done> take_table(Session& session, NamedTable table, std::string_view rest) {
    const Result<FileAndOptions> read = read_file_and_options(rest);
    if (!read) return read.error();
    if (is_picture(read->kind)) return Error{"error.export_table_only", {read->file.string()}};
    const Tensor numbers(table.numbers.shape, table.numbers.numbers.data());
    const std::string text = read->kind == ExportFile::npy
                                 ? npy_bytes(numbers, false)
                                 : export_text(numbers, {.format = format_of(read->kind),
                                                         .decimals = decimals_of_text,
                                                         .row_labels = std::move(table.rows),
                                                         .column_labels = std::move(table.columns)});
    const Result<Done> written = write_file_atomically(read->file, text);
    if (written) session.tell("export.saved", {std::filesystem::absolute(read->file).string()});
    return written;
}

Result<Done> take_away(Session& session, View& view, ExportRequest request, std::string_view rest) {
    Result<FileAndOptions> read = read_file_and_options(rest);
    if (!read) return read.error();
    request.file = read->file;
    request.kind = read->kind;
    if (const Result<Done> done = read_options(request, read->options, Index(session.model().story.size()));
        !done)
        return done;
    const bool is_slides =
        request.subject == ExportSubject::story || request.subject == ExportSubject::lesson;
    if (is_slides && request.kind != ExportFile::pdf)
        return Error{"error.export_story", {request.file.string()}};
    const Cover& cover = session.view().teaching.cover;
    const bool would_tell =
        std::any_of(request.parts.begin(), request.parts.end(),
                    [&](const MatrixPart& part) { return cover.hides_some_of(part.path); });
    if (would_tell && !is_picture(request.kind)) return Error{"teach.first", {}};
    if (!is_picture(request.kind)) return write_table(session, request);
    // Said now rather than when everything was drawn.
    if (const Result<AtomicFile> place = AtomicFile::create(request.file); !place) return place.error();
    view.exports.push_back(std::move(request));
    return Done{};
}

} // namespace

std::optional<ExportFile> export_file_of(const std::filesystem::path& file) {
    std::string end = file.extension().string();
    std::transform(end.begin(), end.end(), end.begin(),
                   [](unsigned char c) { return char(std::tolower(c)); });
    for (const auto& [name, kind] : file_names)
        if (end == "." + std::string(name)) return kind;
    return {};
}

bool is_picture(ExportFile file) {
    return file == ExportFile::png || file == ExportFile::svg || file == ExportFile::pdf;
}

std::vector<MatrixPart> parts_shown(const Session& session) {
    const MatrixPart part = *part_asked(session);
    const Node& node = *session.find(part.path);
    const bool is_whole = part == whole_matrix(node, part.head) && session.is_of_model(node);
    return is_whole && !session.view().asking.part ? matrices_of(session, node) : std::vector{part};
}

std::string name_of_shown(const Session& session) {
    const std::vector<MatrixPart> parts = parts_shown(session);
    const Node& node = *session.find(parts.front().path);
    const bool one_of_many = node.axes.per_head && node.value.batch() > 1 && parts.size() == 1;
    return node.path + (one_of_many ? ".head-" + std::to_string(parts.front().head + 1) : "");
}

void add_export_commands(CommandRegistry& commands, Session& session, View& view) {
    using namespace argument;
    const char* const rest = "FILE";
    const auto add = [&commands](std::string_view words, std::vector<Argument> arguments, auto run) {
        commands.add_with_model(words, std::move(arguments), std::move(run)).of_person = true;
    };
    const auto take = [&session, &view, rest](ExportRequest request, const Arguments& in) {
        return take_away(session, view, std::move(request), in.text(rest));
    };
    add("export card", {file(rest)}, [&session, take](const Arguments& in) {
        return take({.subject = ExportSubject::card, .parts = matrices_of(session, *session.step().node)},
                    in);
    });
    add("export", {"page|canvas", file(rest)}, [take](const Arguments& in) {
        return take({.subject = in.said("page") ? ExportSubject::page : ExportSubject::canvas}, in);
    });
    add("export shown", {file(rest)}, [&session, take](const Arguments& in) {
        return take({.subject = ExportSubject::matrices, .parts = parts_shown(session)}, in);
    });
    add("export part", {file(rest)}, [&session, take](const Arguments& in) {
        return take({.subject = ExportSubject::matrices, .parts = {*part_asked(session)}}, in);
    });
    add("export film", {file(rest)}, [&view, rest](const Arguments& in) {
        std::string name(trim(in.text(rest)));
        const bool is_double = name.ends_with(" 2"); // as large
        if (is_double) name.resize(name.size() - 2);
        std::string_view left = name;
        std::string file = take_word(left); // in quotes, where it has blanks and they are written
        view.exports.push_back({.subject = ExportSubject::film,
                                .file = trim(left).empty() ? file : name,
                                .scale = is_double ? 2 : 1});
    });
    add("export story", {file(rest)},
        [take](const Arguments& in) { return take({.subject = ExportSubject::story}, in); });
    add("export lesson", {file(rest)}, [&session, take](const Arguments& in) -> Result<Done> {
        if (!session.view().teaching.on) return Error{"error.lesson_none", {}};
        return take({.subject = ExportSubject::lesson}, in);
    });
    add("export view", {word("NAME"), file(rest)}, [take](const Arguments& in) {
        return take({.subject = ExportSubject::widget, .widget = in.text("NAME")}, in);
    });
    add("export sweep", {file(rest)}, [&session, rest](const Arguments& in) {
        const SessionSweep* sweep = session.sweep();
        if (!sweep) return Result<Done>(Error{"error.no_sweep", {}});
        return take_table(session, sweep_table(session, *sweep), in.text(rest));
    });
    add("export attribution", {file(rest)}, [&session, rest](const Arguments& in) {
        const Attribution* attribution = session.attribution();
        if (!attribution) return Result<Done>(Error{"error.no_attribution", {}});
        return take_table(session, attribution_table(session, *attribution), in.text(rest));
    });
    add("export", {any_value(), file(rest)}, [&session, take](const Arguments& in) {
        return take({.subject = ExportSubject::matrices,
                     .parts = matrices_of(session, *session.find(in.text("PATH")))},
                    in);
    });
}

} // namespace headlight
