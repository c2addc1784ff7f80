#include "engine/decode/confidence.h"

#include <Eigen/Dense>

#include <algorithm>
#include <cmath>

namespace headlight {

namespace {

constexpr double shrinkage = 1e-3; // an answer of each verdict more, in effect
constexpr int newton_steps = 30;
constexpr double least_logarithm = -30; // a word that cannot be said says no more than one that hardly can

Eigen::Vector3d features(const Evidence& evidence) { return {1, evidence.mean, evidence.least}; }

double logistic(double x) { return 1 / (1 + std::exp(-x)); }

} // namespace

Evidence evidence_of(std::span<const SaidWord> said) {
    Evidence evidence;
    if (said.empty()) return evidence;
    for (const SaidWord& word : said) {
        const double logarithm = std::max(word.log_probability, least_logarithm);
        evidence.mean += logarithm / double(said.size());
        evidence.least = std::min(evidence.least, logarithm);
    }
    return evidence;
}

double Confidence::probability_right(const Evidence& evidence) const {
    return logistic(bias + of_mean * evidence.mean + of_least * evidence.least);
}

Confidence fit_confidence(std::span<const JudgedAnswer> answers) {
    Eigen::Vector3d weights = Eigen::Vector3d::Zero();
    for (int step = 0; step < newton_steps && !answers.empty(); ++step) {
        Eigen::Vector3d gradient = shrinkage * weights;
        Eigen::Matrix3d curvature = shrinkage * Eigen::Matrix3d::Identity();
        for (const JudgedAnswer& answer : answers) {
            const Eigen::Vector3d x = features(answer.evidence);
            const double p = logistic(weights.dot(x));
            gradient += (p - (answer.is_right ? 1 : 0)) * x;
            curvature += p * (1 - p) * x * x.transpose();
        }
        const Eigen::Vector3d change = curvature.ldlt().solve(gradient);
        // A long step is one into where the curve is flat: halfway is nearer.
        weights -= change * std::min(1.0, 4 / std::max(4.0, change.norm()));
        if (change.norm() < 1e-9) break;
    }
    return {weights[0], weights[1], weights[2]};
}

std::vector<ReliabilityBin> reliability(const Confidence& confidence, std::span<const JudgedAnswer> answers,
                                        int bins) {
    std::vector<ReliabilityBin> all(std::size_t(std::max(bins, 1)));
    for (std::size_t i = 0; i < all.size(); ++i)
        all[i].from = double(i) / double(all.size()), all[i].to = double(i + 1) / double(all.size());
    for (const JudgedAnswer& answer : answers) {
        const double p = confidence.probability_right(answer.evidence);
        ReliabilityBin& bin = all[std::min(std::size_t(p * double(all.size())), all.size() - 1)];
        ++bin.answers;
        bin.right += answer.is_right;
        bin.predicted += p;
    }
    std::erase_if(all, [](const ReliabilityBin& bin) { return bin.answers == 0; });
    for (ReliabilityBin& bin : all) bin.predicted /= double(bin.answers);
    return all;
}

} // namespace headlight
