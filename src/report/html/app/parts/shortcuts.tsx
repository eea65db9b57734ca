/// <reference lib="dom" />
import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { remembered } from "./theme_switch.tsx";

export interface Shortcut {
  /** Keys that trigger it, as in `KeyboardEvent.key`. Any of them works. */
  readonly keys: readonly string[];
  readonly text: string;
  readonly run: () => void;
}

/** True if the key belongs to the browser, a dialog, or a field for text or choices. */
function isTaken(event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return true;
  const { target } = event;
  return target instanceof Element &&
    target.closest("input:not([type=checkbox]), select, textarea, dialog, [contenteditable]") !==
      null;
}

const CHOICE = remembered("covtool-shortcuts", ["on", "off"] as const);

interface Props {
  readonly shortcuts: readonly Shortcut[];
}

function Help(
  { shortcuts, isOn, onSwitch, onClose }: Props & {
    readonly isOn: boolean;
    readonly onSwitch: (on: boolean) => void;
    readonly onClose: () => void;
  },
): JSX.Element {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} class="help" aria-labelledby="help-title" onClose={onClose}>
      <h2 id="help-title">Keyboard</h2>
      <dl>
        {shortcuts.map(({ keys, text }) => (
          <div key={text}>
            <dt>
              {keys.map((key, index) => (
                <span key={key}>
                  {index > 0 ? " or " : ""}
                  <kbd>{key}</kbd>
                </span>
              ))}
            </dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
      <label class="toggle">
        <input
          type="checkbox"
          checked={isOn}
          onChange={(event) => onSwitch(event.currentTarget.checked)}
        />
        <span>Enable keyboard shortcuts</span>
      </label>
      <form method="dialog">
        <button type="submit" class="quiet">Close</button>
      </form>
    </dialog>
  );
}

/** Single-key shortcuts can be switched off: users of speech input may trigger them by accident (WCAG 2.2, 2.1.4). */
export function Shortcuts({ shortcuts }: Props): JSX.Element {
  const [isOpen, setOpen] = useState(false);
  const [isOn, setOn] = useState(() => CHOICE.read() === "on");
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => {
      if (!isOn || isTaken(event)) return;
      if (event.key === "?") return setOpen(true);
      const shortcut = shortcuts.find(({ keys }) => keys.includes(event.key));
      if (shortcut === undefined) return;
      event.preventDefault();
      shortcut.run();
    };
    addEventListener("keydown", listen);
    return () => removeEventListener("keydown", listen);
  }, [shortcuts, isOn]);
  return (
    <>
      <button
        type="button"
        class="icon-button"
        aria-label="Keyboard shortcuts"
        title="Keyboard shortcuts (?)"
        onClick={() => setOpen(true)}
      >
        <svg viewBox="0 0 16 16" width="18" height="18" aria-hidden="true">
          <path d="M1.5 4h13v8.5h-13zM4 7h.8M7.6 7h.8M11.2 7h.8M5 10h6" />
        </svg>
      </button>
      {isOpen && (
        <Help
          shortcuts={[...shortcuts, { keys: ["?"], text: "keyboard shortcuts", run: () => {} }]}
          isOn={isOn}
          onSwitch={(on) => {
            CHOICE.write(on ? "on" : "off");
            setOn(on);
          }}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  );
}
