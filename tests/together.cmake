# Test sources that hide no names of one spelling are compiled as one: it takes half the time. One that comes new is
# compiled by itself until it is put into a group.
set(TOGETHER
  "app/ui/descent_room_test.cpp|app/ui/memory_room_test.cpp|app/ui/norms_room_test.cpp"
  "app/live/live_race_test.cpp|app/session/descent_session_test.cpp|app/session/memory_test.cpp|app/cli/race_test.cpp"
  "engine/model/descent_test.cpp|engine/train/fixed_weights_test.cpp|engine/model/two_norms_test.cpp|engine/ops/squared_error_test.cpp|engine/ops/additive_attention_test.cpp|engine/ops/batch_norm_test.cpp|engine/ops/recurrent_test.cpp|engine/model/recurrent_model_test.cpp"
  "engine/inspect/cost_test.cpp|engine/inspect/operation_costs_test.cpp|engine/inspect/forgetting_test.cpp|engine/train/race_test.cpp|engine/train/recurrent_training_test.cpp|engine/task/recall_test.cpp"
  "engine/ops/activations_test.cpp|engine/ops/pooling_test.cpp|engine/ops/rms_norm_test.cpp|engine/ops/rotary_test.cpp|engine/model/plain_attention_test.cpp|engine/io/safetensors_test.cpp|engine/model/transformer_parameters_test.cpp|engine/text/token_models_test.cpp|engine/graph/explanation_test.cpp|engine/text/cutting_test.cpp"
  "engine/ops/softmax_test.cpp|engine/io/tokenizer_folder_test.cpp|engine/model/one_stack_test.cpp|engine/model/families_test.cpp|engine/io/family_folder_test.cpp|models/one_stack_models_test.cpp|engine/inspect/formulas_test.cpp|engine/inspect/heads_test.cpp|engine/inspect/numbers_test.cpp"
  "app/session/backward_test.cpp|app/session/costs_test.cpp|app/session/profile_test.cpp|app/session/word_places_test.cpp|app/live/cost_measuring_test.cpp|app/live/one_stack_live_test.cpp|app/live/run_folder_test.cpp|app/live/timeline_test.cpp"
  "app/session/generation_test.cpp|app/session/generation_work_test.cpp|app/lessons/player_test.cpp|app/canvas/canvas_test.cpp|app/cli/model_commands_test.cpp|app/cli/one_stack_test.cpp|app/cli/train_test.cpp"
  "support/explanation_check.cpp|support/loss_derivative.cpp|support/naive.cpp|support/naive_transformer.cpp|support/numbers.cpp|support/op_check.cpp|support/matches.cpp"
  "engine/tensor/arena_test.cpp|engine/tensor/gemm_test.cpp|engine/text/unicode_test.cpp|engine/text/tokenizer_test.cpp|engine/io/atomic_file_test.cpp|engine/io/json_tree_test.cpp|engine/io/folder_transaction_test.cpp|structure/includes_test.cpp|engine/task/characters_test.cpp|engine/task/pairs_test.cpp|engine/graph/graph_test.cpp|engine/decode/beam_test.cpp|engine/decode/next_word_test.cpp|engine/decode/writing_test.cpp"
  "engine/io/config_json_test.cpp|engine/io/trace_test.cpp|engine/inspect/backward_story_test.cpp|engine/inspect/dot_products_test.cpp|engine/inspect/explanation_text_test.cpp|engine/inspect/foreign_architectures_test.cpp|engine/inspect/pca_test.cpp|engine/inspect/position_codes_test.cpp|engine/inspect/sums_apart_test.cpp"
  "engine/io/tokenizer_json_test.cpp|engine/inspect/counted_test.cpp|engine/inspect/export_test.cpp|engine/inspect/forward_cells_test.cpp|engine/inspect/sweep_test.cpp"
  "engine/io/model_folder_test.cpp|engine/graph/edits_test.cpp|engine/graph/forward_changes_test.cpp|engine/ops/elementwise_test.cpp|engine/ops/gather_test.cpp|engine/ops/heads_test.cpp|engine/ops/layer_norm_test.cpp|engine/ops/leaves_test.cpp|engine/ops/products_test.cpp|engine/model/filing_cabinet_test.cpp|engine/model/transformer_test.cpp"
  "engine/ops/cross_entropy_test.cpp|engine/pytorch/values_test.cpp|engine/pytorch/training_test.cpp"
  "engine/train/one_stack_training_test.cpp|engine/train/trainer_test.cpp|engine/train/adam_explanation_test.cpp|engine/train/adam_test.cpp|engine/train/batch_test.cpp|engine/train/schedule_test.cpp|engine/base/background_test.cpp|engine/base/workers_test.cpp|engine/train/evaluate_test.cpp|engine/train/not_finite_test.cpp|engine/train/batch_norm_training_test.cpp|engine/train/recipes_test.cpp|engine/train/training_run_test.cpp"
  "engine/model/transformer_gradients_test.cpp|models/shipped_gradients_test.cpp"
  "app/session/asking_test.cpp|app/session/command_test.cpp|app/session/exporting_test.cpp|app/session/files_test.cpp|app/session/film_test.cpp|app/session/word_life_test.cpp|app/session/help_pages_test.cpp|app/session/history_test.cpp|app/session/page_asking_test.cpp|app/session/norms_page_test.cpp|app/session/interruption_test.cpp|app/session/settings_test.cpp|app/session/window_sessions_test.cpp|app/session/long_answers_test.cpp|app/session/strings_test.cpp|app/session/change_twin_test.cpp"
  "app/session/changes_fuzz_test.cpp|app/session/changes_test.cpp|app/session/foreign_session_test.cpp|app/session/padded_batch_test.cpp|app/session/session_history_test.cpp|app/session/session_sweep_test.cpp|app/session/training/diagonal_test.cpp|app/session/training/follow_test.cpp|app/live/live_training_test.cpp|app/live/no_threads_test.cpp|app/live/pair_reading_test.cpp"
  "app/live/kept_runs_test.cpp|app/session/training/rapid_commands_test.cpp|app/live/training_settings_test.cpp|app/lessons/lesson_test.cpp|app/cli/check_test.cpp|app/cli/export_test.cpp|app/cli/stopping_test.cpp|app/cli/usage_test.cpp"
  "engine/base/error_sentences_test.cpp|engine/inspect/measures/measures_test.cpp|engine/inspect/statistics_test.cpp|engine/text/bpe_training_test.cpp|models/shipped_models_test.cpp"
  "app/cli/program.cpp|app/cli/trained_model.cpp|app/session/changed_session.cpp|app/session/measures_test.cpp|support/failing_disk.cpp"
  "app/ui/tokens_panel_test.cpp|app/ui/projector_test.cpp|app/ui/stage.cpp|app/ui/panel_stage.cpp|app/picture/xml.cpp"
  "app/ui/canvas_test.cpp|app/ui/film_window_test.cpp|app/ui/word_rail_test.cpp|app/ui/zoom_test.cpp|app/ui/measures_page_test.cpp|app/ui/pages_test.cpp|app/ui/monkey.cpp|app/ui/widgets/gallery.cpp|app/session/closeups_test.cpp|app/session/foreign_session.cpp|engine/inspect/arithmetic.cpp"
  "app/canvas/camera_test.cpp|app/canvas/layout_test.cpp"
  "app/session/cut_text_test.cpp|app/platform/heatmap_renderer_test.cpp|app/platform/image_test.cpp|app/platform/imgui_memory_test.cpp|app/platform/input_test.cpp|app/ui/widgets/controls_test.cpp|app/ui/widgets/formula_test.cpp|app/ui/widgets/text_test.cpp|app/ui/widgets/theme_test.cpp|app/ui/closeups_test.cpp|app/ui/arrangement_test.cpp|app/ui/foreign_window_test.cpp"
  "app/ui/widgets/heatmap_test.cpp|app/ui/asking_panel_test.cpp|app/ui/monkey_test.cpp|app/ui/overlaps_test.cpp|app/ui/pictures_test.cpp|app/ui/positions_panel_test.cpp|app/ui/presenting_test.cpp|app/ui/say_room_test.cpp|app/ui/costs_room_test.cpp|app/ui/profile_side_test.cpp|app/ui/words_page_test.cpp|app/ui/window_store_test.cpp|app/ui/window_size_test.cpp|app/ui/window_test.cpp|app/ui/window_text_test.cpp|app/ui/files_test.cpp"
  "app/ui/help_test.cpp|app/ui/held_anywhere_test.cpp|app/picture/export_picture_test.cpp|app/ui/rooms_test.cpp|app/ui/heads_board_test.cpp|app/ui/heads_grid_test.cpp|app/ui/lesson_panel_test.cpp|app/session/alignment_test.cpp|app/ui/pair_page_test.cpp|app/ui/training_room_test.cpp"
  "app/ui/covered_test.cpp|app/ui/glyphs_test.cpp|app/ui/keyboard_test.cpp|app/ui/large_screen_test.cpp|app/ui/lesson_sight_test.cpp|app/ui/still_test.cpp|app/ui/vocabulary_test.cpp|app/ui/widgets/table_test.cpp|app/session/answer_remarks_test.cpp|app/platform/field_text_test.cpp"
  "app/cli/lesson_commands_test.cpp|app/cli/pairs_test.cpp|app/lessons/homework_test.cpp|app/lessons/random_lesson.cpp|app/lessons/setup_writer_test.cpp"
  "app/live/run_findings_test.cpp|app/live/runs_beside_test.cpp|app/session/every_setting_test.cpp|app/session/link_test.cpp|app/session/training/watching_test.cpp|app/session/word_offers_test.cpp"
  "engine/decode/confidence_test.cpp|engine/inspect/formula_reader.cpp|engine/inspect/given_away_test.cpp|engine/language/drawer_test.cpp"
  "engine/language/lexicon_test.cpp|engine/text/gloss_words_test.cpp"
)
foreach(group IN LISTS TOGETHER)
  string(REPLACE "|" ";" sources "${group}")
  list(GET sources 0 name)
  string(MAKE_C_IDENTIFIER "${name}" name)
  set_source_files_properties(${sources} PROPERTIES UNITY_GROUP ${name})
endforeach()
