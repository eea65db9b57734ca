/**
 * The page around a live report: it shows the report in a frame and, when there is news, loads the new one behind it
 * and then puts it in its place, with the same view scrolled to the same position.
 *
 * @param subject What is said to have stopped in the end: plain text.
 * @param nonce Allows its own style and script, and nothing else.
 */
export function livePageHtml(nonce: string, subject: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>covtool · live</title>
<style nonce="${nonce}">${STYLE}</style>
</head>
<body>
<p id="state" role="status">Live</p>
<script nonce="${nonce}">${SCRIPT.replace("SUBJECT", subject)}</script>
</body>
</html>
`;
}

const STYLE = `
html, body { height: 100%; margin: 0; }
iframe { position: fixed; inset: 0; width: 100%; height: 100%; border: 0; }
iframe.next { visibility: hidden; }
#state { position: fixed; z-index: 1; right: 1rem; bottom: 1rem; margin: 0; padding: .25rem .75rem;
  border-radius: 1rem; font: 600 .8rem system-ui, sans-serif; color: #fff; background: #0f766e; }
#state.ended { background: #7f1d1d; }
`;

const SCRIPT = `
const state = document.getElementById("state");
let shown = null, loading = false, wanted = false;

function isBusy() {
  const focused = shown?.contentDocument?.activeElement;
  return focused instanceof shown.contentWindow.HTMLInputElement ||
    !shown.contentWindow.getSelection().isCollapsed;
}

function load() {
  if (loading) { wanted = true; return; }
  if (shown && isBusy()) { setTimeout(load, 1000); return; }
  loading = true;
  wanted = false;
  const next = document.createElement("iframe");
  next.title = "Report";
  next.className = "next";
  next.src = "report" + (shown ? shown.contentWindow.location.hash : location.hash);
  next.addEventListener("load", () => place(next, 20), { once: true });
  document.body.prepend(next);
}

function place(next, tries) {
  const y = shown ? shown.contentWindow.scrollY : 0;
  const root = next.contentDocument.documentElement;
  // The report draws itself after it has loaded.
  if (tries > 0 && root.scrollHeight < y + next.clientHeight) {
    setTimeout(() => place(next, tries - 1), 50);
    return;
  }
  next.contentWindow.scrollTo(0, y);
  next.className = "";
  document.title = next.contentDocument.title + " · live";
  next.contentWindow.addEventListener("hashchange", () => {
    history.replaceState(null, "", next.contentWindow.location.hash || location.pathname);
  });
  if (shown) shown.remove();
  shown = next;
  loading = false;
  if (wanted) load();
}

const news = new EventSource("news");
news.addEventListener("message", load);
function end() {
  news.close();
  state.className = "ended";
  state.textContent = "SUBJECT has stopped";
}
news.addEventListener("end", end);
news.addEventListener("error", end);
`;
