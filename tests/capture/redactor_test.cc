#include "capture/redactor.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <span>

#include "base/text.h"
#include "redaction_cases.h"

namespace bawn {
namespace {

std::string redact(std::string_view text, std::vector<std::string> literals = {}) {
  Redactor redactor(std::move(literals));
  std::string out;
  redactor.feed(text, out);
  redactor.finish(out);
  return out;
}

// Cuts the text at random places, sometimes into single bytes.
std::string redact_in_chunks(std::string_view text, unsigned seed,
                             std::vector<std::string> literals = {}) {
  std::mt19937 random(seed);
  const std::size_t longest = seed % 3 == 0 ? 1 : seed % 3 == 1 ? 16 : 9000;
  Redactor redactor(std::move(literals));
  std::string out;
  while (!text.empty()) {
    const std::size_t size = std::min<std::size_t>(text.size(), random() % longest + 1);
    redactor.feed(text.substr(0, size), out);
    EXPECT_LE(redactor.held(), Redactor::kMaxHeld);
    text.remove_prefix(size);
  }
  redactor.finish(out);
  return out;
}

std::string key_body(std::size_t lines) {
  std::string out;
  for (std::size_t i = 0; i < lines; ++i) {
    out += "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKB\n";
  }
  return out;
}

TEST(Rule, HasACaseThatItRemovesAndOneThatItLeaves) {
  EXPECT_GT(redaction_rows().size(), 200U);
  for (const RedactionRow& row : redaction_rows()) {
    const auto removes = [](const RedactionCase& c) { return !c.kind.empty(); };
    EXPECT_FALSE(std::all_of(row.cases.begin(), row.cases.end(), removes)) << row.rule;
    if (row.rule == "untouched") continue;
    EXPECT_TRUE(std::any_of(row.cases.begin(), row.cases.end(), removes)) << row.rule;
  }
}

TEST(Rule, RemovesSecretsAndNothingAroundThem) {
  for (const RedactionRow& row : redaction_rows()) {
    for (const RedactionCase& c : row.cases) {
      if (c.kind.empty()) continue;
      Redactor redactor;
      std::string out;
      redactor.feed(c.input, out);
      redactor.finish(out);
      EXPECT_EQ(out, c.output) << row.rule << ": " << c.input;
      const std::map<std::string, std::uint64_t> expected{{c.kind, 1}};
      EXPECT_EQ(redactor.counts(), expected) << row.rule << ": " << c.input;
    }
  }
}

TEST(Rule, LeavesCodePlaceholdersAndProseAlone) {
  for (const RedactionRow& row : redaction_rows()) {
    for (const RedactionCase& c : row.cases) {
      if (!c.kind.empty()) continue;
      EXPECT_EQ(redact(c.input), c.input) << row.rule;
    }
  }
}

TEST(Rule, DecidesTheSameBeforeAnotherLineAndInChunks) {
  for (const RedactionRow& row : redaction_rows()) {
    for (const RedactionCase& c : row.cases) {
      EXPECT_EQ(redact(concat(c.input, "\nnext line\n")), concat(c.output, "\nnext line\n"))
          << row.rule;
      for (unsigned seed = 0; seed < 4; ++seed)
        EXPECT_EQ(redact_in_chunks(c.input, seed), c.output) << row.rule << ", seed " << seed;
    }
  }
}

TEST(Redactor, FindsNothingInItsOwnOutput) {
  for (const RedactionCase& c : redaction_cases(true)) EXPECT_EQ(redact(c.output), c.output);
}

TEST(Redactor, GivesTheSameOutputHoweverTheStreamIsCut) {
  const std::vector<RedactionCase> removed = redaction_cases(true);
  const std::vector<RedactionCase> untouched = redaction_cases(false);
  std::string text;
  for (const RedactionCase& c : removed) text += concat(c.input, "\n");
  for (const RedactionCase& c : untouched) text += concat(c.input, "\n");
  text += concat("-----BEGIN PRIVATE KEY-----\n", key_body(30), "-----END PRIVATE KEY-----\n");
  text += concat("x password=\"", std::string(70000, 'q'), "\" y\n");
  for (const RedactionCase& c : removed) text += concat(c.input, " ");
  for (int i = 0; i < 16; ++i) {
    for (const RedactionCase& c : untouched) text += concat(c.input, " ");
  }
  const std::vector<std::string> literals{"github", "hub.com", "next\npassword"};
  const std::string once = redact(text);
  const std::string once_with_literals = redact(text, literals);
  for (unsigned seed = 0; seed < 24; ++seed) {
    ASSERT_EQ(redact_in_chunks(text, seed), once) << seed;
    ASSERT_EQ(redact_in_chunks(text, seed, literals), once_with_literals) << seed;
  }
}

TEST(Redactor, ShowsACompleteLineWithoutWaitingForTheNext) {
  Redactor redactor;
  std::string out;
  redactor.feed("token=abc", out);
  EXPECT_EQ(out, "");
  redactor.feed("123xyz9\npass", out);
  EXPECT_EQ(out, "token=[redacted:assignment]\n");
  redactor.finish(out);
  EXPECT_EQ(out, "token=[redacted:assignment]\npass");
}

TEST(Redactor, CountsOnAfterFinish) {
  Redactor redactor;
  std::string out;
  for (int i = 0; i < 2; ++i) {
    redactor.feed("password=hunter2", out);
    redactor.finish(out);
  }
  EXPECT_EQ(out, "password=[redacted:assignment]password=[redacted:assignment]");
  EXPECT_EQ(redactor.counts().at("assignment"), 2U);
}

TEST(Redactor, SwallowsASecretLongerThanItHoldsBack) {
  const std::string filler(3 * Redactor::kMaxHeld, 'Z');
  EXPECT_EQ(redact(concat("a password=\"", filler, "\\\"", filler, "\" b")),
            "a password=\"[redacted:assignment]\" b");
  EXPECT_EQ(redact(concat("a password=", filler, " b")), "a password=[redacted:assignment] b");
  EXPECT_EQ(redact(concat("Authorization: Bearer ", filler, "\nb")),
            "Authorization: Bearer [redacted:authorization]\nb");
  EXPECT_EQ(redact(concat("eyJhbGciOiJI.", filler, ".", filler, " b")), "[redacted:token] b");
  EXPECT_EQ(redact(concat("?token=", filler, "&b")), "?token=[redacted:url_parameter]&b");
}

// A rule sees a bounded piece of a long secret. Wherever that piece ends, also between a backslash
// and the quote it escapes, the rest must be removed too.
TEST(Redactor, DoesNotTakeAnEscapedQuoteForTheEndOfALongSecret) {
  for (std::size_t size = 4070; size < 4100; ++size) {
    const std::string secret = concat(std::string(size, 'Z'), "\\\"", std::string(50, 'Y'));
    EXPECT_EQ(redact(concat("password=\"", secret, "\" b")), "password=\"[redacted:assignment]\" b")
        << size;
  }
}

// A quota or a kill cuts a stream off. The control is the same text with a newline: then it is
// whole, and no secret.
TEST(Redactor, TakesTheFrontOfASecretAtTheEndOfTheStreamForOne) {
  for (const RedactionCase& c : {
           RedactionCase{"push ghp_0123456789abc", "push [redacted:token]", "token"},
           RedactionCase{"id AKIAIOSF", "id [redacted:token]", "token"},
           RedactionCase{"jwt eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIx", "jwt [redacted:token]", "token"},
           RedactionCase{"postgres://app:s3cr", "postgres://[redacted:url_userinfo]",
                         "url_userinfo"},
       }) {
    EXPECT_EQ(redact(c.input), c.output);
    EXPECT_EQ(redact(concat(c.input, "\n")), concat(c.input, "\n"));
    for (unsigned seed = 0; seed < 6; ++seed) EXPECT_EQ(redact_in_chunks(c.input, seed), c.output);
  }
  EXPECT_EQ(redact("http://localhost:8080"), "http://localhost:8080");
  EXPECT_EQ(redact("http://[::1]:80"), "http://[::1]:80");
}

TEST(Redactor, FindsSecretsFarInsideALineWithoutEnd) {
  const std::string filler(3 * Redactor::kMaxHeld, '.');
  EXPECT_EQ(redact(concat(filler, " password=hunter2 ", filler)),
            concat(filler, " password=[redacted:assignment] ", filler));
}

TEST(PrivateKey, KeepsTheFrameAndRemovesTheBody) {
  for (const std::string label :
       {"PRIVATE KEY", "RSA PRIVATE KEY", "OPENSSH PRIVATE KEY", "ENCRYPTED PRIVATE KEY",
        "EC PRIVATE KEY", "PGP PRIVATE KEY BLOCK"}) {
    const std::string begin = concat("-----BEGIN ", label, "-----\n");
    const std::string end = concat("-----END ", label, "-----\nafter\n");
    EXPECT_EQ(redact(concat(begin, key_body(27), "abc=\n", end)),
              concat(begin, "[redacted:private_key]\n", end));
    EXPECT_EQ(redact(concat(begin, key_body(5000), end)),
              concat(begin, "[redacted:private_key]\n", end));
  }
}

TEST(PrivateKey, IsFoundInsideAStringAndBehindPrefixes) {
  const std::string line = key_body(1).substr(0, 64);
  EXPECT_EQ(redact(concat("{\"k\":\"-----BEGIN PRIVATE KEY-----\\n", line,
                          "\\nabc=\\n-----END PRIVATE KEY-----\\n\"}")),
            "{\"k\":\"-----BEGIN PRIVATE KEY-----\\n[redacted:private_key]\\n-----END PRIVATE "
            "KEY-----\\n\"}");
  EXPECT_EQ(
      redact(concat("-----BEGIN PRIVATE KEY----- ", line, line, " -----END PRIVATE KEY-----")),
      "-----BEGIN PRIVATE KEY----- [redacted:private_key]-----END PRIVATE KEY-----");
  EXPECT_EQ(redact(concat("1\t-----BEGIN PRIVATE KEY-----\n2\t", line, "\n3\t", line,
                          "\n4\t-----END PRIVATE KEY-----\n")),
            "1\t-----BEGIN PRIVATE KEY-----\n2\t[redacted:private_key]-----END PRIVATE KEY-----\n");
  EXPECT_EQ(
      redact(concat("-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES,00\n\n",
                    key_body(2), "-----END RSA PRIVATE KEY-----\n")),
      "-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: "
      "AES,00\n\n[redacted:private_key]\n"
      "-----END RSA PRIVATE KEY-----\n");
}

TEST(PrivateKey, ThatIsCutShortDoesNotHideWhatFollows) {
  EXPECT_EQ(redact(concat("-----BEGIN PRIVATE KEY-----\n", key_body(2),
                          "all tests passed\npassword=hunter2\n")),
            "-----BEGIN PRIVATE KEY-----\n[redacted:private_key]\nall tests "
            "passed\npassword=[redacted:assignment]\n");
  const std::string mention =
      "if (s == \"-----BEGIN RSA PRIVATE KEY-----\") {\n  return parse_private_key(s);\n}\n";
  EXPECT_EQ(redact(mention), mention);
}

TEST(PrivateKey, CertificatesAndPublicKeysStay) {
  for (const std::string label :
       {"CERTIFICATE", "PUBLIC KEY", "RSA PUBLIC KEY", "PGP PUBLIC KEY BLOCK"}) {
    const std::string block =
        concat("-----BEGIN ", label, "-----\n", key_body(9), "-----END ", label, "-----\n");
    EXPECT_EQ(redact(block), block);
  }
}

TEST(PrivateKey, OfOneEndlessLineIsSwallowedWhole) {
  const std::string filler(3 * Redactor::kMaxHeld, 'Z');
  const std::string text =
      concat("-----BEGIN PRIVATE KEY-----\\nMIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcw", filler,
             "\\n-----END PRIVATE KEY-----\n");
  const std::string expected =
      "-----BEGIN PRIVATE KEY-----\\n[redacted:private_key]\\n-----END PRIVATE KEY-----\n";
  EXPECT_EQ(redact(text), expected);
  for (unsigned seed = 0; seed < 6; ++seed) EXPECT_EQ(redact_in_chunks(text, seed), expected);
}

// The redactor looks at a bounded piece of a long line. The piece may also end inside "-----END".
TEST(PrivateKey, OfOneLongLineEndsAtItsEndAndNotLater) {
  for (std::size_t size = 4040; size < 4110; ++size) {
    const std::string body =
        concat("MIIEvQIBADANBgkqhkiG9w0BAQEFAASC", std::string(size - 32, 'Z'));
    EXPECT_EQ(
        redact(concat("-----BEGIN PRIVATE KEY-----", body, "-----END PRIVATE KEY----- all well ",
                      body)),
        concat(
            "-----BEGIN PRIVATE KEY-----[redacted:private_key]-----END PRIVATE KEY----- all well ",
            body))
        << size;
  }
}

TEST(PrivateKey, WithoutItsFirstLineIsKnownByItsEnd) {
  for (const std::string label : {"PRIVATE KEY", "RSA PRIVATE KEY", "OPENSSH PRIVATE KEY"}) {
    const std::string end = concat("-----END ", label, "-----\nafter\n");
    EXPECT_EQ(redact(concat("x\n", key_body(3), "abc=\n", end)),
              concat("x\n[redacted:private_key]\n", end));
    EXPECT_EQ(redact(concat(key_body(2), end)), concat("[redacted:private_key]\n", end));
  }
  const std::string line = key_body(1).substr(0, 64);
  EXPECT_EQ(redact(concat("k-", line, "\r\nk-ab=\r\nk:-----END PRIVATE KEY-----\r\n")),
            "k-[redacted:private_key]\nk:-----END PRIVATE KEY-----\r\n");
  EXPECT_EQ(redact(concat("  2\t", line, "\n  3\tab=\n  4\t-----END PRIVATE KEY-----\n")),
            "  2\t[redacted:private_key]\n  4\t-----END PRIVATE KEY-----\n");
  EXPECT_EQ(redact(concat("\"...", line, "\\nab=\\n-----END PRIVATE KEY-----\\n\"")),
            "\"...[redacted:private_key]\\n-----END PRIVATE KEY-----\\n\"");
  EXPECT_EQ(redact(concat("... ", line, line, " -----END PRIVATE KEY-----")),
            "... [redacted:private_key]-----END PRIVATE KEY-----");
}

TEST(PrivateKey, WithoutItsFirstLineIsNotKnownByAnotherEnd) {
  for (const std::string_view end : {"-----END CERTIFICATE-----\n", "-----END PUBLIC KEY-----\n",
                                     "-----END PRIVATE KEY\n", "all well\n", ""}) {
    const std::string text = concat(key_body(9), "abc=\n", end);
    EXPECT_EQ(redact(text), text);
  }
  const std::string prose = concat("see /usr/lib/x\n", "the line is\n-----END PRIVATE KEY-----\n");
  EXPECT_EQ(redact(prose), prose);
  const std::string apart = concat(key_body(2), "a line of prose\n-----END PRIVATE KEY-----\n");
  EXPECT_EQ(redact(apart), apart);
}

TEST(PrivateKey, WithoutItsFirstLineIsHeldBackWithinBounds) {
  const std::string end = "-----END PRIVATE KEY-----\n";
  for (const std::string& text :
       {concat(key_body(1000), end), concat(std::string(40000, 'Q'), "x1y2", end),
        concat(key_body(40), "word ", key_body(40), "ab\n", end)}) {
    const std::string once = redact(text);
    EXPECT_TRUE(once.ends_with(concat("[redacted:private_key]\n", end)) ||
                once.ends_with(concat("[redacted:private_key]", end)))
        << once.substr(once.size() - 100);
    EXPECT_LT(once.size(), text.size());
    for (unsigned seed = 0; seed < 6; ++seed) ASSERT_EQ(redact_in_chunks(text, seed), once) << seed;
  }
}

TEST(Literal, IsRemovedWhereverItStandsAlsoOverLines) {
  EXPECT_EQ(redact("xx swordfish yy", {"swordfish"}), "xx [redacted:literal] yy");
  EXPECT_EQ(redact("aone\ntwob", {"one\ntwo"}), "a[redacted:literal]b");
  EXPECT_EQ(redact("xx swordfish yy", {"other"}), "xx swordfish yy");
  EXPECT_EQ(redact("password=swordfish", {"swordfish"}), "password=[redacted:literal]");
}

TEST(Literal, CutOffByTheEndOfTheStreamIsRemovedFromFourBytesOn) {
  for (unsigned seed = 0; seed < 6; ++seed) {
    EXPECT_EQ(redact_in_chunks("xx swordf", seed, {"swordfish"}), "xx [redacted:literal]");
    EXPECT_EQ(redact_in_chunks("xx swordf\n", seed, {"swordfish"}), "xx swordf\n");
    EXPECT_EQ(redact_in_chunks("xx swo", seed, {"swordfish"}), "xx swo");
  }
}

TEST(Literal, ShorterThanFourBytesIsIgnored) {
  EXPECT_EQ(redact("abc abcd", {"abc", ""}), "abc abcd");
}

TEST(Literal, OverlappingOnesLeaveNoPartBehind) {
  EXPECT_EQ(redact("<abcdefgh>", {"abcd", "cdefgh"}), "<[redacted:literal]>");
  EXPECT_EQ(redact("<abcdabcd>", {"abcd"}), "<[redacted:literal][redacted:literal]>");
  EXPECT_EQ(redact("<abcdef>", {"abcd", "abcdef"}), "<[redacted:literal]>");
}

TEST(Literal, LongerThanTheHoldBackIsStillRemovedWhole) {
  std::string secret;
  for (int i = 0; secret.size() < 100000; ++i) secret += std::to_string(i);
  const std::string out = redact(concat("<", secret, ">"), {secret});
  EXPECT_LT(out.size(), 200U);
  EXPECT_TRUE(out.starts_with("<[redacted:literal]"));
  EXPECT_TRUE(out.ends_with("[redacted:literal]>"));
}

TEST(Literal, BrokenBySequencesIsRemoved) {
  EXPECT_EQ(redact("xx sword\x1b[0mfish yy", {"swordfish"}), "xx [redacted:literal] yy");
  EXPECT_EQ(redact("\x1b[1ms\x1b[2mwordfis\x1b]8;;u\x07h\x1b[0m", {"swordfish"}),
            "\x1b[1m[redacted:literal]\x1b[0m");
  EXPECT_EQ(redact("\x1b]0;swordfish\x07x", {"swordfish"}), "\x1b]0;[redacted:literal]\x07x");
  EXPECT_EQ(redact("sword\u200bfish", {"swordfish"}), "[redacted:literal]");
  // Only long literals are found across lines: a short beginning stands at the end of many lines.
  EXPECT_EQ(redact("sword\nfish", {"swordfish"}), "sword\nfish");
  EXPECT_EQ(redact("correct-h\r\n  orse", {"correct-horse"}), "[redacted:literal]");
  EXPECT_EQ(redact("aone\r\ntwob", {"one\ntwo"}), "a[redacted:literal]b");
}

std::string wrapped(std::string_view text, std::size_t width, std::string_view end) {
  std::string out;
  for (; text.size() > width; text.remove_prefix(width)) out += concat(text.substr(0, width), end);
  return concat(out, text);
}

// Whether no 6 digits of it are left, from which 3 bytes could be read.
bool is_gone(std::string_view digits, std::string_view out) {
  for (std::size_t i = 0; i + 6 <= digits.size(); ++i) {
    if (out.find(digits.substr(i, 6)) != std::string_view::npos) return false;
  }
  return true;
}

TEST(Literal, InBase64IsRemovedWhereverItStarts) {
  const std::string secret = "c0rrect?horse>battery~staple";
  for (std::size_t before = 0; before < 7; ++before) {
    for (std::size_t behind = 0; behind < 4; ++behind) {
      const std::string bytes = concat(std::string(before, 'u').append(before == 0 ? "" : ":"),
                                       secret, std::string(behind, '\n'));
      std::string digits = base64(bytes);
      EXPECT_TRUE(is_gone(digits.substr(before * 4 / 3 + 3, 30), redact(digits, {secret})))
          << before;
      EXPECT_FALSE(
          is_gone(digits.substr(before * 4 / 3 + 3, 30), redact(digits, {"another secret"})));
      for (char& c : digits) c = c == '+' ? '-' : c == '/' ? '_' : c;
      EXPECT_TRUE(is_gone(digits.substr(before * 4 / 3 + 3, 30), redact(digits, {secret})))
          << before;
    }
  }
  EXPECT_EQ(redact(concat("<", base64(secret), ">"), {secret}), "<[redacted:literal]>");
}

TEST(Literal, InDigitsIsRemovedAlsoOverLines) {
  const std::string secret =
      "a secret of many bytes, longer than one line of digits, and then some more of it";
  const std::string hex_digits =
      hex(std::span(reinterpret_cast<const unsigned char*>(secret.data()), secret.size()));
  std::string large = hex_digits;
  for (char& c : large) c = static_cast<char>(c >= 'a' ? c - 32 : c);
  const std::string all = base64(secret);
  for (const std::string& digits : {hex_digits, large, all}) {
    EXPECT_EQ(redact(concat("<", digits, ">"), {secret}), "<[redacted:literal]>");
    for (const std::size_t width : {60U, 64U, 70U, 76U, 7U}) {
      for (const std::string_view end : {"\n", "\r\n", "\n    ", "\x1b[0m\n\x1b[1m"}) {
        const std::string text = concat("<", wrapped(digits, width, end), ">");
        EXPECT_EQ(redact(text, {secret}), "<[redacted:literal]>") << text;
        for (unsigned seed = 0; seed < 3; ++seed)
          EXPECT_EQ(redact_in_chunks(text, seed, {secret}), "<[redacted:literal]>");
      }
    }
  }
}

TEST(Literal, OfLessThanTwelveBytesIsLookedForAsItIs) {
  EXPECT_EQ(redact(base64("swordfish11"), {"swordfish11"}), base64("swordfish11"));
  EXPECT_EQ(redact(base64("swordfish-12"), {"swordfish-12"}), "[redacted:literal]");
}

// The beginning of this literal matches at every byte. Work that grew with its length would not end
// in time.
TEST(Literal, ThatRepeatsItselfCostsNoMoreThanAnother) {
  const std::string front(16000, 'a');
  const std::string text(4 * 1024 * 1024, 'a');
  EXPECT_EQ(redact(concat(text, "."), {front + "b", front + "c"}), concat(text, "."));
  EXPECT_TRUE(redact(concat(text, "b"), {front + "b"}).ends_with("a[redacted:literal]"));
}

// Terminal sequences without text between them, or more sequences than text, must not pile up.
TEST(Redactor, HoldsBackBoundedAmountsOfSequences) {
  for (const std::string_view piece :
       {"\x1b[0m", "\x1b]0;title\x07", "g\x1b[0m\x1b[1m", "\u200b", "\n \n", "\x1b"}) {
    std::string text;
    while (text.size() < 3 * Redactor::kMaxHeld) text += piece;
    EXPECT_EQ(redact(text), text);
    EXPECT_EQ(redact_in_chunks(text, 1, {"ggggggggggggggggx", "xx"}), text);
  }
}

}  // namespace
}  // namespace bawn
