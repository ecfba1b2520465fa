// window.sortKey(text): the text as core.text.sort_key compares it, without case and accents.
window.sortKey = (function () {
  "use strict";
  const BARE = { ß: "ss", ł: "l", ø: "o", đ: "d", ð: "d", ı: "i", ħ: "h", æ: "ae", œ: "oe", þ: "th", "‘": "'", "’": "'" };

  return function (text) {
    const bare = text.toLowerCase().normalize("NFKD").replace(/\p{Mn}/gu, "");
    return bare.replace(/[ßłøđðıħæœþ‘’]/g, (letter) => BARE[letter]).normalize("NFC").trim();
  };
})();
