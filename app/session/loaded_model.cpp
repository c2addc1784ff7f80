#include "app/session/loaded_model.h"

namespace headlight {

Index LoadedModel::step_of(std::string_view path) const {
    const Node* node = graph().find(path);
    if (!node) return -1;
    for (std::size_t i = 0; i < story.size(); ++i)
        if (story[i].node == node) return Index(i);
    return -1;
}

Result<std::unique_ptr<LoadedModel>> load_model(const std::filesystem::path& folder) {
    Result<ModelFiles> files = read_model_folder(folder);
    if (!files) return files.error();
    auto model = std::make_unique<LoadedModel>();
    model->folder = folder;
    const std::filesystem::path plain = folder.has_filename() ? folder : folder.parent_path();
    model->name = plain.filename().string();
    model->files = std::move(*files);
    model->transformer = build_transformer(model->files.config, model->files.parameters);
    model->story = tell(*model->transformer, model->files.config);
    model->blocks = blocks_of(model->story);
    return model;
}

} // namespace headlight
