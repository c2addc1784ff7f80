#include "app/session/measured.h"

#include "app/session/version.h"

#include <algorithm>
#include <chrono>

namespace headlight {

void Measured::forget() {
    kept_.clear();
    lens_ = {};
}

Measured::Kept* Measured::find(std::string_view path, const LoadedModel& model, const SweepTarget& target) {
    const auto known =
        std::find_if(kept_.begin(), kept_.end(), [&](const auto& one) { return lies_in(path, one.first); });
    std::string name = known != kept_.end() ? known->first : measure_graph_of(path, *model.main_pass);
    if (name.empty()) return nullptr;
    Kept& kept = kept_[name];
    kept.asked = ++clock_;
    const bool depends = name == attribution_name;
    if (kept.made && (!depends || kept.target == target)) return &kept;
    kept.made = compute_measure(name, *model.main_pass, target);
    kept.target = target;
    kept.version = next_version();
    return &kept;
}

const MeasureGraph* Measured::graph_of(std::string_view path, const LoadedModel& model,
                                       const SweepTarget& target) {
    const Kept* kept = find(path, model, target);
    return kept ? kept->made.get() : nullptr;
}

unsigned long Measured::version_of(std::string_view path, const LoadedModel& model,
                                   const SweepTarget& target) {
    const Kept* kept = find(path, model, target);
    return kept ? kept->version : 0;
}

void Measured::trim() {
    const auto bytes = [&] {
        std::size_t all = 0;
        for (const auto& [name, kept] : kept_) all += kept.made ? kept.made->graph.bytes() : 0;
        return all;
    };
    while (kept_.size() > 1 && bytes() > budget)
        kept_.erase(std::min_element(kept_.begin(), kept_.end(), [](const auto& a, const auto& b) {
            return a.second.asked < b.second.asked;
        }));
}

bool Measured::advance_lens(const std::string& stream, const LoadedModel& model, double seconds) {
    const Stream* of = model.map().stream(stream);
    if (of == nullptr) return false;
    const Tensor& own = said_by(model.map())->value;
    if (lens_.stream != stream || lens_.rows != own.rows()) {
        lens_ = {stream, lens_stops(*model.main_pass, *of), own.rows(), {}};
    }
    using Clock = std::chrono::steady_clock;
    const Clock::time_point begin = Clock::now();
    bool is_new = false;
    while (!lens_.is_complete()) {
        if (is_new && std::chrono::duration<double>(Clock::now() - begin).count() > seconds) break;
        const std::string name = "measures.lens." + stream + "." + std::to_string(lens_.done());
        const Tensor& said = graph_of(name, model, {})->graph.find(name + ".said")->value;
        for (Index row = 0; row < lens_.rows; ++row) {
            const Real* p = said.row(0, row);
            const Real* best = std::max_element(p, p + said.columns());
            lens_.cells.push_back({TokenId(best - p), double(*best)});
        }
        trim();
        is_new = true;
    }
    return is_new;
}

std::vector<const Stream*> lens_streams(const Model& model) {
    std::vector<const Stream*> streams;
    for (const bool written : {true, false})
        for (const Stream& stream : model.map.streams)
            if (stream.is_written == written && lens_stops(model, stream) > 0) streams.push_back(&stream);
    return streams;
}

} // namespace headlight
