/** Whether the page is at rest: no answer is awaited, nothing moves, nothing is put off.
 * While it is not, the body has `data-busy`: whoever waits for the page need not guess how long. */

let underWay = 0;

const tell = () => document.body.toggleAttribute("data-busy", underWay > 0);

/** Something begins. @returns {() => void} to be called when it is over */
export function begin() {
  let over = false;
  underWay += 1;
  tell();
  return () => {
    if (over) return;
    over = true;
    underWay -= 1;
    tell();
  };
}

/** Counts until a promise is settled. @template T @param {Promise<T>} work @returns {Promise<T>} */
export function during(work) {
  const end = begin();
  work.then(end, end);
  return work;
}
