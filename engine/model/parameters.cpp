#include "engine/model/parameters.h"

#include "engine/base/check.h"

namespace headlight {

const Parameter& Parameters::declare(Parameter parameter) {
    HEADLIGHT_CHECK(values_.empty(), "parameter " + parameter.name + " declared after allocate()");
    HEADLIGHT_CHECK(find(parameter.name) == nullptr, "parameter " + parameter.name + " declared twice");
    parameter.offset = count_;
    count_ += parameter.size();
    list_.push_back(std::move(parameter));
    return list_.back();
}

const Parameter& Parameters::declare_matrix(std::string name, Index rows, Index columns) {
    return declare({std::move(name), rows, columns, false, 0});
}

const Parameter& Parameters::declare_vector(std::string name, Index columns) {
    return declare({std::move(name), 1, columns, true, 0});
}

void Parameters::allocate() { values_.assign(std::size_t(count_), Real(0)); }

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
