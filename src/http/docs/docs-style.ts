// Styles of the documentation, loaded after those of every page: menu, search, cards, tabs, and samples next to
// their operations.

export const DOCS_STYLE = `
.layout { max-width: 92rem; }
html { scroll-padding-top: 5rem; }
.site { position: sticky; z-index: 3; top: 0; border-bottom: 1px solid var(--line); background: var(--bg); }
.site > div { display: flex; align-items: center; gap: 1.2rem; max-width: 92rem; min-height: 4rem; margin: 0 auto; padding: 0 1.5rem; }
.site .brand { display: flex; align-items: center; gap: 0.6rem; min-width: 0; color: var(--ink); font-size: 1.0625rem; font-weight: 680; letter-spacing: -0.02em; text-decoration: none; }
.site .brand span { max-width: 14rem; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.site .brand img, .site .brand svg { flex: none; width: 2rem; height: 2rem; border-radius: 0.55rem; object-fit: contain; }
.site .brand svg { padding: 0.375rem; background: var(--accent); color: var(--on-accent); }
.site .place { color: var(--ink-2); font-weight: 550; text-decoration: none; }
.site button { margin-left: auto; padding: 0.45rem 0.7rem; border: 0; border-radius: var(--radius-s); background: none; color: var(--ink-2); font: 550 var(--text-s) var(--font); cursor: pointer; }
.site button:hover { background: var(--field); color: var(--ink); }
.layout > nav { top: 4rem; height: calc(100vh - 4rem); padding-top: 1.2rem; display: flex; flex-direction: column; overflow: visible; z-index: 2; }
nav > details { flex: 1; min-height: 0; overflow-y: auto; margin-bottom: 0; }
nav .powered { margin-top: 1.4rem; font-size: 0.8rem; }
nav a[aria-current] { color: var(--accent); font-weight: 600; }
nav details > summary { display: none; }
main { padding-top: 1rem; overflow-wrap: break-word; }
main.guide { max-width: 60rem; }
h2 { margin-top: 2.2rem; }
h2 .anchor, h3 .anchor { opacity: 0; text-decoration: none; font-weight: 400; }
h2:hover .anchor, h3:hover .anchor, .anchor:focus { opacity: 1; }
pre { margin: 0.5rem 0; user-select: text; }
[tabindex]:focus-visible, a:focus-visible, button:focus-visible, input:focus-visible, summary:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
.code { display: flex; align-items: flex-start; margin: 0.5rem 0; border: 1px solid var(--line); border-radius: 8px; background: var(--field); }
.code > pre { flex: 1; min-width: 0; margin: 0; border: 0; }
.code > button { flex: none; margin: 0.35rem 0.35rem 0.35rem 0; font: 0.78rem var(--font); padding: 0.2rem 0.55rem; border: 1px solid var(--line); border-radius: 6px;
  background: var(--surface); color: var(--ink-2); cursor: pointer; }
.code > button:hover { color: var(--accent); border-color: currentcolor; }
.sample .code { flex-direction: column-reverse; align-items: stretch; }
.sample .code > button { align-self: flex-end; margin: 0.35rem 0.35rem 0; }
.sample .code > pre { padding-top: 0.3rem; }
:root { --text: light-dark(#1a6b3c, #8fd4a8); --word: light-dark(#6b3fa0, #c9a8f0); }
pre .comment { color: var(--ink-2); } pre .text { color: var(--text); } pre .word { color: var(--word); }
.tab-label { font-weight: 600; margin: 1rem 0 0.2rem; }
[role="tablist"] { display: flex; flex-wrap: wrap; gap: 0.3rem; margin-top: 1rem; }
[role="tab"] { font: 600 0.85rem var(--font); padding: 0.35rem 0.8rem; border: 1px solid var(--line); border-radius: 8px; background: none; color: var(--ink-2); cursor: pointer; }
[role="tab"][aria-selected="true"] { color: var(--accent); border-color: currentcolor; background: var(--field); }
.has-tabs .tab-label { display: none; }
.search { position: relative; margin: 0.7rem 0 0.4rem; }
.search input { width: 100%; font: inherit; font-size: 0.95rem; padding: 0.5rem 0.75rem; border: 1px solid var(--ink-2); border-radius: 8px; background: var(--surface); color: var(--ink); }
.results { position: absolute; z-index: 2; left: 0; min-width: 100%; width: 32rem; max-width: calc(100vw - 3rem); max-height: 60vh; overflow-y: auto; margin: 0.3rem 0 0; padding: 0.3rem; list-style: none;
  background: var(--surface); border: 1px solid var(--line); border-radius: 10px; box-shadow: 0 12px 32px rgb(0 0 0 / 0.25); }
.results a { display: block; padding: 0.4rem 0.6rem; border-radius: 6px; text-decoration: none; color: var(--ink); overflow-wrap: anywhere; }
.results a:hover, .results a:focus { background: var(--field); }
.results small { display: block; color: var(--ink-2); }
.results .snippet { font-size: 0.78rem; }
.results mark { background: none; color: inherit; font-weight: 650; text-decoration: underline; }
.results p { margin: 0.4rem 0.6rem; }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
.cards { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 12.5rem), 1fr)); gap: 0.9rem; margin: 1.2rem 0; }
.cards > section { border: 1px solid var(--line); border-radius: 12px; padding: 0.8rem 1rem 0.9rem; }
.cards h2 { border: 0; margin: 0 0 0.3rem; padding: 0; font-size: 0.95rem; }
.cards ul { list-style: none; margin: 0; padding: 0; }
.cards li { margin: 0.28rem 0; line-height: 1.35; font-size: 0.93rem; }
.cards small { color: var(--ink-2); display: block; font-size: 0.8rem; }
.links { display: flex; flex-wrap: wrap; gap: 0.25rem 1rem; font-size: 0.93rem; max-width: none; }
.operation { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 27rem); gap: 0 2rem; padding-bottom: 1rem; }
.operation > h2, .operation > h3, .operation > .endpoint { grid-column: 1 / -1; }
.operation > div h3 { margin: 1.4rem 0 0.4rem; font-size: 0.8rem; text-transform: uppercase; letter-spacing: 0.06em; color: var(--ink-2); }
section:target > h2 { background: var(--field); }
.operation .sample .tabs [role="tablist"] { margin-top: 0.6rem; }
.groups { margin: 0.2rem 0 0.6rem 0.8rem; }
.sections { margin-left: 0.8rem; font-size: 0.93em; }
.entries { list-style: none; margin: 0.5rem 0; padding: 0; }
.entries li { display: flex; flex-wrap: wrap; gap: 0 0.8rem; margin: 0.28rem 0; }
.entries code { color: var(--ink-2); overflow-wrap: anywhere; }
.sample pre { max-height: 24rem; overflow-y: auto; }
.sample .tabs pre { white-space: pre-wrap; overflow-wrap: anywhere; }
.operation > .sample h3:first-child, .operation .sample h4:first-child { margin-top: 0.6rem; }
main.guide .operation { display: block; }
.error { display: grid; grid-template-columns: minmax(0, 20rem) minmax(0, 1fr); gap: 0 1.2rem; padding: 0.7rem 0; border-bottom: 1px solid var(--line); }
.error h3 { margin: 0; font-size: 0.95rem; overflow-wrap: anywhere; }
.error p { margin: 0; }
.error .soft { font-size: 0.88rem; }
section.error:target, section.error:target > h3, #errors ~ .links a:target { background: var(--field); }
@media (max-width: 75rem) { .operation { display: block; } }
@media (max-width: 30rem) { .site .brand span { position: absolute; width: 1px; height: 1px; clip-path: inset(50%); } }
@media (max-width: 56rem) { html { scroll-padding-top: 1rem; } .site { position: static; } .site > div { min-height: 3.5rem; } .error { display: block; } .layout > nav { height: auto; max-height: none; } nav > details { overflow: visible; } nav details > summary { display: list-item; padding: 0.4rem 0; } }
@media (max-width: 40rem) { h2 .anchor, h3 .anchor { display: none; } .fields, .fields tbody { display: block; } .fields thead { display: none; }
  main.guide table:not(.fields) td { min-width: 8.5rem; }
  .fields tr { display: block; padding: 0.5rem 0; border-bottom: 1px solid var(--line); } .fields td { display: inline-block; padding: 0 0.8rem 0 0; border: 0; color: var(--ink-2); }
  .fields td:last-child { display: block; color: inherit; } }
@media (max-width: 30rem) { .code { flex-direction: column-reverse; align-items: stretch; } .code > button { align-self: flex-end; margin: 0.35rem 0.35rem 0; } .code > pre { padding-top: 0.3rem; } h1 { font-size: 1.5rem; overflow-wrap: anywhere; } h2, h3 { overflow-wrap: anywhere; } main { padding: 1.2rem 0.9rem 3rem; } }
`;
