/* Sentences of the server as they are drawn. */

/** A message of the server, which may begin in lower case and have no full stop, as a sentence. */
export function sentence(message) {
  const begun = message.replace(/^[a-z]+(?=[ ,’'])/, (word) => word.charAt(0).toUpperCase() + word.slice(1));
  return begun && !/[.!?…]$/.test(begun) ? `${begun}.` : begun;
}

/** A text that is not broken between a number and its per cent sign. */
export function unbroken(text) {
  return text.replace(/(\d) %/g, "$1\u00a0%");
}
