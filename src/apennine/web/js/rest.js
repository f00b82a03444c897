/** Whether the page is at rest: no answer is awaited, nothing moves, nothing is put off.
 * While it is not, the body's `data-busy` says what is under way: whoever waits for the page need not
 * guess how long, nor for what. */

/** @type {Set<{what: string}>} */
const underWay = new Set();

const tell = () => {
  if (underWay.size > 0) document.body.dataset.busy = [...underWay].map(({ what }) => what).join(", ");
  else delete document.body.dataset.busy;
};

/** Something begins. @param {string} what @returns {() => void} to be called when it is over */
export function begin(what) {
  const one = { what };
  underWay.add(one);
  tell();
  return () => {
    if (underWay.delete(one)) tell();
  };
}

/** Counts until a promise is settled. @template T @param {string} what @param {Promise<T>} work @returns {Promise<T>} */
export function during(what, work) {
  const end = begin(what);
  work.then(end, end);
  return work;
}
