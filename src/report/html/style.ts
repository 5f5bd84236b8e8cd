/** The style sheet of the report: light and dark, from a phone to a wide screen. */

/** CSS without any reference to something outside the page. */
export const STYLE = `
:root {
  color-scheme: light dark;
  --page: #f6f7f9; --card: #ffffff; --ink: #1b1f24; --soft: #59636e; --line: #d5dae0; --wash: #eef1f4;
  --good: #1a7f37; --bad: #c62828; --doubt: #8a5a00; --none: #6b7680; --accent: #0a58a8;
  --bad-wash: #fdecea; --good-wash: #e7f6ec; --doubt-wash: #fff4d6; --heat: 10, 88, 168;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #0f1317; --card: #171c22; --ink: #e4e8ec; --soft: #9aa5b1; --line: #303842; --wash: #20272f;
    --good: #4cc26b; --bad: #ff7b72; --doubt: #e3b341; --none: #9aa5b1; --accent: #79b8ff;
    --bad-wash: #3a1d1f; --good-wash: #16301f; --doubt-wash: #362a0e; --heat: 121, 184, 255;
  }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--ink); font: 15px/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
main, header > div { max-width: 1080px; margin: 0 auto; padding: 0 16px; }
main { padding-bottom: 64px; }
header { background: var(--card); border-bottom: 1px solid var(--line); padding: 20px 0 16px; }
h1 { font-size: 26px; line-height: 1.2; margin: 0 0 4px; display: flex; flex-wrap: wrap; gap: 4px 12px; align-items: baseline; }
h2 { font-size: 19px; margin: 36px 0 10px; }
h3 { font-size: 16px; margin: 0 0 8px; }
p { margin: 6px 0; }
a { color: var(--accent); }
code, pre, .mono { font: 13px/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
code { overflow-wrap: anywhere; }
.soft { color: var(--soft); }
.card { background: var(--card); border: 1px solid var(--line); border-radius: 10px; padding: 16px; margin: 0 0 14px; }
.scroll { overflow-x: auto; }
.scroll:focus-visible, g:focus-visible .bar, summary:focus-visible, a:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
.CERTIFIED, .passed { color: var(--good); } .FAILED, .failed { color: var(--bad); }
.INCOMPLETE, .inconclusive { color: var(--doubt); } .skipped, .not_implemented { color: var(--none); }
nav { display: flex; flex-wrap: wrap; gap: 2px 16px; margin-top: 10px; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: 5px 10px; text-align: right; border-bottom: 1px solid var(--line); }
th { font-weight: 600; color: var(--soft); font-size: 13px; }
th:first-child, td:first-child { text-align: left; padding-left: 0; }
.areas { width: 100%; } .areas td:first-child { overflow-wrap: normal; } .areas tr:last-child { font-weight: 600; } .areas td.zero { color: var(--soft); font-weight: 400; opacity: .6; }
dl.facts { display: grid; grid-template-columns: max-content 1fr; gap: 4px 16px; margin: 10px 0 0; }
dl.facts dt { color: var(--soft); } dl.facts dd { margin: 0; min-width: 0; }
.wrong-reply { border-left: 3px solid var(--bad); background: var(--bad-wash); }
.contrast { display: grid; grid-template-columns: 1fr 1fr; gap: 10px; margin: 12px 0; }
.contrast > div { padding: 8px 12px; border-radius: 6px; min-width: 0; }
.contrast .saw { background: var(--bad-wash); } .contrast .may { background: var(--good-wash); }
.contrast strong { display: block; font-size: 12px; font-weight: 600; color: var(--soft); }
pre.command { background: var(--wash); border-radius: 6px; padding: 8px 12px; margin: 10px 0 0; white-space: pre-wrap; }
.glance + .glance { border-top: 1px solid var(--line); margin-top: 10px; padding-top: 4px; }
table.steps { margin-top: 8px; } table.steps td { text-align: left; vertical-align: top; border: 0; padding: 2px 10px 2px 0; white-space: nowrap; }
table.steps td:last-child { white-space: normal; min-width: 200px; } table.steps tr.wrong td { color: var(--bad); font-weight: 600; }
.detail { min-height: 3em; background: var(--wash); border-radius: 6px; padding: 8px 12px; margin: 8px 0 0; }
details.behavior { border-bottom: 1px solid var(--line); }
details.behavior:last-child { border-bottom: 0; }
details.behavior > summary { display: grid; grid-template-columns: 4.6em 9em 1fr; gap: 10px; padding: 7px 0; cursor: pointer; list-style: none; }
details.behavior > summary::-webkit-details-marker { display: none; }
details.behavior > summary b { white-space: nowrap; }
details.behavior > summary b::after { content: ' \\25B8'; color: var(--soft); font-weight: 400; }
details.behavior[open] > summary b::after { content: ' \\25BE'; }
details.behavior > dl { padding: 0 0 10px; margin: 0; }
.status { font-weight: 600; white-space: nowrap; }
.filter { display: flex; flex-wrap: wrap; gap: 4px 16px; margin: 0 0 12px; }
.filter label { cursor: pointer; white-space: nowrap; }
svg { display: block; } svg text { font: 12px system-ui, sans-serif; fill: var(--ink); }
svg .faint { fill: var(--soft); font-size: 11px; }
.node { fill: var(--wash); stroke: var(--line); } .node.rest { fill: var(--card); stroke: var(--ink); stroke-width: 1.5; } .node.end { stroke: var(--bad); fill: var(--bad-wash); }
.edge { fill: none; stroke: var(--accent); } .edge.never { stroke: var(--soft); stroke-dasharray: 2 4; } .edge.fail { stroke: var(--bad); opacity: .45; stroke-dasharray: 4 3; }
.arrow { fill: var(--accent); } .arrow.never { fill: var(--soft); } .arrow.fail { fill: var(--bad); opacity: .6; }
.grid { font-size: 13px; overflow-wrap: normal; } .grid thead th { white-space: normal; } .grid th, .grid td { padding: 3px 7px; border: 1px solid var(--line); text-align: center; }
.grid tbody th { white-space: nowrap; text-align: left; position: sticky; left: 0; background: var(--card); }
.grid td.empty { color: var(--soft); opacity: .55; }
.h1 { background: rgba(var(--heat), .10); } .h2 { background: rgba(var(--heat), .20); } .h3 { background: rgba(var(--heat), .32); } .h4 { background: rgba(var(--heat), .46); } .h5 { background: rgba(var(--heat), .60); }
.lane { stroke: var(--line); } .bar { fill: var(--wash); stroke: var(--accent); } .read .bar { stroke: var(--line); }
.wrong .bar { fill: var(--bad-wash); stroke: var(--bad); stroke-width: 2; } .lost .bar { stroke-dasharray: 4 3; }
.call { cursor: pointer; outline: none; } .call.on .bar { stroke-width: 3; }
.column { fill: var(--accent); opacity: .75; } .column.late { fill: var(--bad); } .plots { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 410px), 1fr)); gap: 18px 28px; } .plot { margin: 0; max-width: 100%; min-width: 0; } .plot svg { max-width: 100%; height: auto; }
.sample { fill: var(--soft); opacity: .5; } .dot { fill: var(--accent); } .kill { stroke: var(--bad); stroke-width: 2; } .kill-text { fill: var(--bad); font-size: 11px; }
.log { background: var(--wash); border-radius: 6px; padding: 8px 12px; margin: 6px 0 0; overflow-x: auto; } .log code { display: block; white-space: pre-wrap; }
.mark { stroke: var(--soft); stroke-dasharray: 1 3; } .mark-text { fill: var(--soft); font-size: 11px; }
@media (max-width: 640px) {
  body { font-size: 14px; }
  .card { padding: 12px; }
  .contrast { grid-template-columns: 1fr; }
  dl.facts { grid-template-columns: 1fr; gap: 0; } dl.facts dd { margin-bottom: 8px; }
  details.behavior > summary { grid-template-columns: 4.6em 1fr; } details.behavior > summary .title { grid-column: 1 / -1; }
  table.steps tr { display: grid; grid-template-columns: 3.2em 1fr; } table.steps td { white-space: normal; } table.steps td:last-child { grid-column: 2; min-width: 0; padding-bottom: 5px; }
  .areas { font-size: 12px; } .grid th, .grid td { padding: 3px 5px; } .grid thead th:not(:first-child), .areas th:not(:first-child) { writing-mode: vertical-rl; font-size: 11px; vertical-align: bottom; } .areas th, .areas td { padding: 4px 3px; }
}
`;
