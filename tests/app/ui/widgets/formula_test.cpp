#include "app/ui/widgets/formula.h"

#include "app/ui/base/ui.h"
#include "app/ui/widgets/text.h"
#include "tests/app/ui/widgets/gallery.h"

#include <doctest/doctest.h>

#include <string>

using namespace headlight;

TEST_CASE("formulas look as they should") {
    const std::vector<std::pair<std::string, std::string>> left = {
        {"Attention",
         R"(\mathrm{Attention}(\color{query}{Q},\color{key}{K},\color{value}{V})=\softmax\left(\frac{\color{query}{Q}\,\color{key}{K}^T}{\sqrt{d_k}}\right)\color{value}{V})"},
        {"Scores of one pair",
         R"(s_{ij}=\color{query}{\mathbf{q}_i}\cdot\color{key}{\mathbf{k}_j}=\sum_{c=1}^{d_k}\color{query}{q_{ic}}\,\color{key}{k_{jc}})"},
        {"Softmax", R"(a_{ij}=\frac{e^{s_{ij}}}{\sum_{n=1}^{N}e^{s_{in}}})"},
        {"Layer norm", R"(y=\frac{x-\mu}{\sqrt{\sigma^2+\epsilon}}\odot\gamma+\beta)"},
        {"Positions", R"(PE_{(pos,2i)}=\sin\left(\frac{pos}{10000^{2i/d_{\mathrm{model}}}}\right))"},
    };
    const std::vector<std::pair<std::string, std::string>> right = {
        {"Cross-entropy", R"(L=-\frac{1}{T}\sum_{t=1}^{T}\log p(y_t\mid y_{<t},x))"},
        {"Heads", R"(\mathrm{MultiHead}=\concat(\mathrm{head}_1,\ldots,\mathrm{head}_h)\,W^O)"},
        {"Adam", R"(w\leftarrow w-\alpha\,\frac{\hat{m}}{\sqrt{\hat{v}}+\epsilon})"},
        {"Chain rule",
         R"(\frac{\partial L}{\partial W}=X^T\frac{\partial L}{\partial Y},\qquad X\in\mathbb{R}^{N\times D})"},
        {"Feed-forward", R"(\mathrm{FFN}(x)=\max(0,\,xW_1+b_1)\,W_2+b_2)"},
        {"Choice, root, unknown", R"(\hat{y}=\argmax_{w}\,p_w,\quad\sqrt[3]{x^2+1},\quad\unheard{z})"},
    };
    gallery::check_page("formula", [&](gallery::Stage& stage) {
        stage.show([&] {
            ImDrawList& list = *ImGui::GetWindowDrawList();
            const auto column = [&](const auto& formulas, float x) {
                float y = 36;
                for (const auto& [name, tex] : formulas) {
                    draw_text(list, theme().faces.caption, {x, y}, theme().colours.ink_faint, name);
                    y += 24;
                    const FormulaExtent extent = measure_formula(tex, {MathSize::large});
                    draw_formula(list, {x, y + extent.ascent}, tex, {MathSize::large});
                    y += extent.height() + 34;
                }
                return y;
            };
            column(left, 40);
            const float y = column(right, 690);
            draw_text(list, theme().faces.body, {40, 700}, theme().colours.ink,
                      "In running text at normal size:");
            draw_formula(list, {300, 716},
                         R"(\color{query}{Q}=XW^Q,\ \color{key}{K}=XW^K,\ \color{value}{V}=XW^V)");
            draw_formula(list, {40, 762}, R"(\frac{QK^T}{\sqrt{d_k}})", {MathSize::normal});
            draw_formula(list, {140, 762}, R"(\sum_j a_{ij}v_j)", {MathSize::small});
            draw_formula(list, {260, 762},
                         R"(\left[\frac{a}{b}\right]\left\{\frac{a}{b}\right\}\left|x\right|)");
            CHECK(y < 760);
        });
    });
}

TEST_CASE("any text whatever is set as something, and measured as wide as it is drawn") {
    gallery::Stage stage({});
    const std::vector<std::string> strange = {"",
                                              "\\",
                                              "{",
                                              "}",
                                              "}}{{",
                                              "^",
                                              "_",
                                              "^^__",
                                              "x_",
                                              "x^",
                                              "\\frac",
                                              "\\frac{1}",
                                              "\\sqrt[",
                                              "\\sqrt[3",
                                              "\\left",
                                              "\\left(",
                                              "\\right)",
                                              "\\left\\",
                                              "\\color",
                                              "\\color{",
                                              "\\color{query}",
                                              "\\mathrm{",
                                              "\\text",
                                              "\\unknown{x}",
                                              "\xC3",
                                              "\xFF\xFE",
                                              "x^{y^{z^{w^{v}}}}",
                                              "a_b_c^d^e",
                                              "\\mathbb",
                                              "\\hat",
                                              std::string(500, '{'),
                                              std::string(500, '^'),
                                              "\\left(\\left(\\left(",
                                              "ᵀ√∑∞ⱼ"};
    std::string deep;
    for (int i = 0; i < 400; ++i) deep += "\\frac{\\sqrt{\\left(";
    stage.show([&] {
        for (const std::string& tex : strange) {
            CAPTURE(tex);
            const FormulaExtent measured = measure_formula(tex);
            const FormulaExtent drawn = draw_formula(*ImGui::GetWindowDrawList(), {10, 100}, tex);
            CHECK(measured.width == drawn.width);
            CHECK(measured.ascent >= 0);
        }
        CHECK(measure_formula(deep).width > 0);
    });
}

TEST_CASE("a formula grows with what is in it") {
    gallery::Stage stage({});
    stage.show([&] {
        CHECK(measure_formula("x^2").ascent > measure_formula("x").ascent);
        CHECK(measure_formula("x_2").descent > measure_formula("x").descent);
        CHECK(measure_formula("\\frac{x}{y}").height() > measure_formula("x").height() * 1.8f);
        CHECK(measure_formula("\\sqrt{x}").width > measure_formula("x").width);
        CHECK(measure_formula("a+b").width > measure_formula("ab").width + measure_formula("+").width);
        CHECK(measure_formula("-b").width < measure_formula("a-b").width - measure_formula("a").width);
        CHECK(measure_formula("x", {MathSize::large}).ascent > measure_formula("x").ascent);
        CHECK(measure_formula("\\left(\\frac{x}{y}\\right)").height()
              >= measure_formula("\\frac{x}{y}").height());
        // A word that is no command is shown with its backslash, not swallowed.
        CHECK(measure_formula("\\nonsense").width > measure_formula("\\text{nonsense}").width);
    });
}
