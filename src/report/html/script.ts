/**
 * The script of the report: walks timelines by keyboard and pointer, filters behaviors, opens what a link points at.
 * It reads texts from the page and writes them back as text, never as markup. The page is complete without it.
 */
export const SCRIPT = `
'use strict';
for (const timeline of document.querySelectorAll('.timeline')) {
  const calls = [...timeline.querySelectorAll('.call')];
  const detail = timeline.querySelector('.detail');
  const show = (call) => {
    for (const other of calls) {
      other.classList.toggle('on', other === call);
      other.setAttribute('tabindex', other === call ? '0' : '-1');
    }
    detail.textContent = call.getAttribute('aria-label');
  };
  const walk = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1, Home: -Infinity, End: Infinity };
  calls.forEach((call, index) => {
    call.addEventListener('mouseenter', () => show(call));
    call.addEventListener('focus', () => show(call));
    call.addEventListener('click', () => call.focus());
    call.addEventListener('keydown', (event) => {
      const by = walk[event.key];
      if (by === undefined) return;
      event.preventDefault();
      const next = calls[Math.max(0, Math.min(calls.length - 1, index + by))];
      next.focus();
      next.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    });
  });
}
const boxes = [...document.querySelectorAll('.filter input')];
const filter = () => {
  const wanted = new Set(boxes.filter((box) => box.checked).map((box) => box.value));
  for (const behavior of document.querySelectorAll('details.behavior')) {
    behavior.hidden = !wanted.has(behavior.dataset.status);
  }
  for (const area of document.querySelectorAll('.area')) {
    area.hidden = area.querySelector('details.behavior:not([hidden])') === null;
  }
};
for (const box of boxes) box.addEventListener('change', filter);
const reveal = () => {
  const target = location.hash.length > 1 ? document.getElementById(location.hash.slice(1)) : null;
  if (target && target.tagName === 'DETAILS') {
    target.hidden = false;
    target.closest('.area').hidden = false;
    target.open = true;
    target.scrollIntoView();
  }
};
addEventListener('hashchange', reveal);
filter();
reveal();
`;
