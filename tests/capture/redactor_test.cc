#include "capture/redactor.h"

#include <gtest/gtest.h>

#include <random>

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

// Cuts at random places, now and then into single bytes.
std::string redact_in_chunks(std::string_view text, unsigned seed, std::vector<std::string> literals = {}) {
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

TEST(Redactor, RemovesSecretsAndNothingAroundThem) {
  for (const RedactionCase& c : kRemoved) {
    Redactor redactor;
    std::string out;
    redactor.feed(c.input, out);
    redactor.finish(out);
    EXPECT_EQ(out, c.output) << c.input;
    const std::map<std::string, std::uint64_t> expected{{std::string(c.kind), 1}};
    EXPECT_EQ(redactor.counts(), expected) << c.input;
  }
}

TEST(Redactor, LeavesCodePlaceholdersAndProseAlone) {
  for (const std::string_view text : kUntouched) {
    EXPECT_EQ(redact(text), text);
    EXPECT_EQ(redact(concat(text, "\nnext line\n")), concat(text, "\nnext line\n"));
  }
}

TEST(Redactor, FindsNothingInItsOwnOutput) {
  for (const RedactionCase& c : kRemoved) EXPECT_EQ(redact(c.output), c.output);
}

TEST(Redactor, GivesTheSameOutputHoweverTheStreamIsCut) {
  std::string text;
  for (const RedactionCase& c : kRemoved) text += concat(c.input, "\n");
  for (const std::string_view untouched : kUntouched) text += concat(untouched, "\n");
  text += concat("-----BEGIN PRIVATE KEY-----\n", key_body(30), "-----END PRIVATE KEY-----\n");
  text += concat("x password=\"", std::string(70000, 'q'), "\" y\n");
  for (const RedactionCase& c : kRemoved) text += concat(c.input, " ");
  for (int i = 0; i < 40; ++i) {
    for (const std::string_view untouched : kUntouched) text += concat(untouched, " ");
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

// Wherever what the rule sees ends: also between a backslash and the quote it escapes.
TEST(Redactor, DoesNotTakeAnEscapedQuoteForTheEndOfALongSecret) {
  for (std::size_t size = 4070; size < 4100; ++size) {
    const std::string secret = concat(std::string(size, 'Z'), "\\\"", std::string(50, 'Y'));
    EXPECT_EQ(redact(concat("password=\"", secret, "\" b")), "password=\"[redacted:assignment]\" b") << size;
  }
}

// As behind a quota, or a kill. The same texts with an end of line show that it is the end that decides.
TEST(Redactor, TakesTheFrontOfASecretAtTheEndOfTheStreamForOne) {
  for (const RedactionCase& c : {
           RedactionCase{"push ghp_0123456789abc", "push [redacted:token]", "token"},
           RedactionCase{"id AKIAIOSF", "id [redacted:token]", "token"},
           RedactionCase{"jwt eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIx", "jwt [redacted:token]", "token"},
           RedactionCase{"postgres://app:s3cr", "postgres://[redacted:url_userinfo]", "url_userinfo"},
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
  for (const std::string label : {"PRIVATE KEY", "RSA PRIVATE KEY", "OPENSSH PRIVATE KEY",
                                  "ENCRYPTED PRIVATE KEY", "EC PRIVATE KEY", "PGP PRIVATE KEY BLOCK"}) {
    const std::string begin = concat("-----BEGIN ", label, "-----\n");
    const std::string end = concat("-----END ", label, "-----\nafter\n");
    EXPECT_EQ(redact(concat(begin, key_body(27), "abc=\n", end)),
              concat(begin, "[redacted:private_key]\n", end));
    EXPECT_EQ(redact(concat(begin, key_body(5000), end)), concat(begin, "[redacted:private_key]\n", end));
  }
}

TEST(PrivateKey, IsFoundInsideAStringAndBehindPrefixes) {
  const std::string line = key_body(1).substr(0, 64);
  EXPECT_EQ(
      redact(concat("{\"k\":\"-----BEGIN PRIVATE KEY-----\\n", line,
                    "\\nabc=\\n-----END PRIVATE KEY-----\\n\"}")),
      "{\"k\":\"-----BEGIN PRIVATE KEY-----\\n[redacted:private_key]\\n-----END PRIVATE KEY-----\\n\"}");
  EXPECT_EQ(redact(concat("-----BEGIN PRIVATE KEY----- ", line, line, " -----END PRIVATE KEY-----")),
            "-----BEGIN PRIVATE KEY----- [redacted:private_key]-----END PRIVATE KEY-----");
  EXPECT_EQ(redact(concat("1\t-----BEGIN PRIVATE KEY-----\n2\t", line, "\n3\t", line,
                          "\n4\t-----END PRIVATE KEY-----\n")),
            "1\t-----BEGIN PRIVATE KEY-----\n2\t[redacted:private_key]-----END PRIVATE KEY-----\n");
  EXPECT_EQ(
      redact(concat("-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES,00\n\n",
                    key_body(2), "-----END RSA PRIVATE KEY-----\n")),
      "-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES,00\n\n[redacted:private_key]\n"
      "-----END RSA PRIVATE KEY-----\n");
}

TEST(PrivateKey, ThatIsCutShortDoesNotHideWhatFollows) {
  EXPECT_EQ(
      redact(concat("-----BEGIN PRIVATE KEY-----\n", key_body(2), "all tests passed\npassword=hunter2\n")),
      "-----BEGIN PRIVATE KEY-----\n[redacted:private_key]\nall tests "
      "passed\npassword=[redacted:assignment]\n");
  const std::string mention =
      "if (s == \"-----BEGIN RSA PRIVATE KEY-----\") {\n  return parse_private_key(s);\n}\n";
  EXPECT_EQ(redact(mention), mention);
}

TEST(PrivateKey, CertificatesAndPublicKeysStay) {
  for (const std::string label : {"CERTIFICATE", "PUBLIC KEY", "RSA PUBLIC KEY", "PGP PUBLIC KEY BLOCK"}) {
    const std::string block =
        concat("-----BEGIN ", label, "-----\n", key_body(9), "-----END ", label, "-----\n");
    EXPECT_EQ(redact(block), block);
  }
}

TEST(PrivateKey, OfOneEndlessLineIsSwallowedWhole) {
  const std::string filler(3 * Redactor::kMaxHeld, 'Z');
  const std::string text = concat("-----BEGIN PRIVATE KEY-----\\nMIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcw",
                                  filler, "\\n-----END PRIVATE KEY-----\n");
  const std::string expected =
      "-----BEGIN PRIVATE KEY-----\\n[redacted:private_key]\\n-----END PRIVATE KEY-----\n";
  EXPECT_EQ(redact(text), expected);
  for (unsigned seed = 0; seed < 6; ++seed) EXPECT_EQ(redact_in_chunks(text, seed), expected);
}

// Wherever what is judged at once ends: also in the middle of "-----END".
TEST(PrivateKey, OfOneLongLineEndsAtItsEndAndNotLater) {
  for (std::size_t size = 4040; size < 4110; ++size) {
    const std::string body = concat("MIIEvQIBADANBgkqhkiG9w0BAQEFAASC", std::string(size - 32, 'Z'));
    EXPECT_EQ(
        redact(concat("-----BEGIN PRIVATE KEY-----", body, "-----END PRIVATE KEY----- all well ", body)),
        concat("-----BEGIN PRIVATE KEY-----[redacted:private_key]-----END PRIVATE KEY----- all well ", body))
        << size;
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

TEST(Literal, ShorterThanFourBytesIsIgnored) { EXPECT_EQ(redact("abc abcd", {"abc", ""}), "abc abcd"); }

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

}  // namespace
}  // namespace bawn
