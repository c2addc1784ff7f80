#include "engine/model/parameters.h"

#include "engine/base/check.h"

namespace headlight {

const Parameter& Parameters::declare(Parameter parameter) {
    HEADLIGHT_CHECK(values_.empty(), "parameter " + parameter.name + " declared after allocate()");
    HEADLIGHT_CHECK(find(parameter.name) == nullptr, "parameter " + parameter.name + " declared twice");
    parameter.offset = count_;
    count_ += parameter.size();
    if (parameter.is_learned) learned_ += parameter.size();
    list_.push_back(std::move(parameter));
    return list_.back();
}

const Parameter& Parameters::declare_matrix(std::string name, Index rows, Index columns) {
    return declare({std::move(name), rows, columns, false, 0});
}

const Parameter& Parameters::declare_vector(std::string name, Index columns) {
    return declare({std::move(name), 1, columns, true, 0});
}

const Parameter& Parameters::declare_buffer(std::string name, Index columns) {
    return declare({std::move(name), 1, columns, true, 0, false});
}

void Parameters::allocate(const std::map<std::string, PackedReals::Format>& packed) {
    Index end = 0;
    for (const bool learned : {true, false})
        for (Parameter& p : list_) {
            if (p.is_learned != learned) continue;
            if (const auto format = packed.find(p.name); format != packed.end()) {
                packed_[p.name] = std::make_shared<PackedReals>(format->second, p.size());
                p.offset = -1;
            } else {
                p.offset = end;
                end += p.size();
            }
        }
    values_.assign(std::size_t(end), Real(0));
}

Tensor Parameters::tensor(const Parameter& p) {
    const Shape shape{1, p.rows, p.columns};
    if (const PackedReals* bits = packed(p)) return {shape, *bits, 0};
    return {shape, values_.data() + p.offset};
}

PackedReals* Parameters::packed(const Parameter& p) {
    const auto found = packed_.find(p.name);
    return found == packed_.end() ? nullptr : found->second.get();
}

bool Parameters::forget_unpacked(Index above) const {
    Index held = 0;
    for (const auto& [name, packed] : packed_) held += packed->unpacked();
    if (held <= above) return false;
    for (const auto& [name, packed] : packed_) packed->forget();
    return true;
}

const Parameter* Parameters::find(std::string_view name) const {
    const Index index = index_of(name);
    return index < 0 ? nullptr : &list_[std::size_t(index)];
}

Index Parameters::index_of(std::string_view name) const {
    for (std::size_t i = 0; i < list_.size(); ++i)
        if (list_[i].name == name) return Index(i);
    return -1;
}

} // namespace headlight
