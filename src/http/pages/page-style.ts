// Styles of the server-rendered pages: the design tokens of the built page and a small style sheet. Readable on
// a phone, without external files.
import { readFileSync } from 'node:fs';

const TOKENS = readFileSync(new URL('./tokens.css', import.meta.url), 'utf8');

export const PAGE_STYLE = `${TOKENS}
* { box-sizing: border-box; }
html { scroll-padding-top: 1rem; }
body { margin: 0; background: var(--surface); color: var(--ink); font: 16px/1.55 var(--font); }
a { color: var(--accent); text-decoration-thickness: 1px; text-underline-offset: 2px; }
code, pre { font: 0.875em/1.5 var(--mono); }
:not(pre) > code { background: var(--field); padding: 0.1em 0.3em; border-radius: 4px; overflow-wrap: anywhere; }
pre { background: var(--field); border: 1px solid var(--line); border-radius: 8px; padding: 0.8rem 1rem; overflow-x: auto; user-select: all; }
h1 { font-size: 1.9rem; line-height: 1.2; margin: 0 0 0.5rem; letter-spacing: -0.02em; }
h2 { font-size: 1.35rem; margin: 3rem 0 0.5rem; padding-top: 1rem; border-top: 1px solid var(--line); }
h3 { font-size: 1.1rem; margin: 2.5rem 0 0.4rem; }
h4 { font-size: 0.8rem; text-transform: uppercase; letter-spacing: 0.06em; color: var(--ink-2); margin: 1.4rem 0 0.4rem; }
p { margin: 0.5rem 0; max-width: 46rem; }
.layout { display: grid; grid-template-columns: 17rem minmax(0, 1fr); max-width: 78rem; margin: 0 auto; }
.layout > nav { position: sticky; top: 0; height: 100vh; overflow-y: auto; padding: 2rem 1rem 2rem 1.5rem; border-right: 1px solid var(--line); font-size: 0.9rem; }
nav strong { display: block; margin: 1.1rem 0 0.2rem; font-size: 0.75rem; text-transform: uppercase; letter-spacing: 0.06em; color: var(--ink-2); }
nav a { display: block; padding: 0.15rem 0; color: inherit; text-decoration: none; }
nav a:hover { color: var(--accent); }
main { padding: 2.5rem 2rem 6rem; min-width: 0; }
.narrow { max-width: 48rem; margin: 0 auto; }
.endpoint { display: flex; flex-wrap: wrap; gap: 0.6rem; align-items: baseline; }
.endpoint code { overflow-wrap: anywhere; }
.method { font: 700 0.72rem/1 var(--mono); letter-spacing: 0.04em; padding: 0.3em 0.5em; border-radius: 4px; border: 1px solid currentcolor; }
.get { color: var(--info); } .post { color: var(--accent); } .delete { color: var(--bad); }
.note { color: var(--warn); }
.soft { color: var(--ink-2); }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: 0.9rem; }
th { text-align: left; font-weight: 600; color: var(--ink-2); font-size: 0.8rem; }
th, td { padding: 0.35rem 0.8rem 0.35rem 0; border-bottom: 1px solid var(--line); vertical-align: top; }
td:first-child > code:only-child { white-space: nowrap; overflow-wrap: normal; }
details { margin: 0.6rem 0; }
summary { cursor: pointer; color: var(--ink-2); }
tr:target, section:target > h3 { background: var(--field); }
dl { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: 0.3rem 1.2rem; }
dt { color: var(--ink-2); } dd { margin: 0; overflow-wrap: anywhere; }
@media (max-width: 56rem) { .layout { display: block; } .layout > nav { position: static; height: auto; max-height: 45vh; border-right: 0;
  border-bottom: 1px solid var(--line); padding: 1rem 1.2rem; } main { padding: 1.5rem 1.2rem 4rem; } }
`;
