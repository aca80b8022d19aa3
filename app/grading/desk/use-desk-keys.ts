/** Listens to keys anywhere on the screen and runs their commands. */

import { type RefObject, useEffect, useEffectEvent, useState } from 'react';
import { rateChoices } from '#server/grading/rules.ts';
import { isComposing } from '../../lib/composing.ts';
import { closedReason, isRatedDesk } from './desk.ts';
import { type EarlyKey, takeEarlyKeys } from './early-keys.ts';
import { scoreField } from './grade-panel.tsx';
import { commandOf, type DeskCommand, type KeyContext } from './keys.ts';
import { commentField } from './panel-comment.tsx';
import type { LiveDesk } from './use-live-desk.ts';

const switchName = 'grading keys';
const alone = { repeat: false, isComposing: false, ctrlKey: false, metaKey: false, altKey: false };
const opensDialog: ReadonlySet<DeskCommand['do']> = new Set(['finish', 'help', 'draw']);

interface DeskKeyOptions {
  score: RefObject<HTMLInputElement | null>;
  /** True while a dialog is open: then the dialog handles the keys. */
  blocked: boolean;
  onSave: () => void;
  onFinish: () => void;
  onDraw: (place: number) => void;
  onHelp: () => void;
}

/** Returns whether shortcuts are on, and a function that switches them on or off (WCAG 2.1.4). */
export function useDeskKeys(
  { store, live }: LiveDesk,
  options: DeskKeyOptions,
): [on: boolean, setOn: (on: boolean) => void] {
  const [on, setKept] = useState(true);
  useEffect(() => {
    try {
      setKept(window.localStorage.getItem(switchName) !== 'off');
    } catch {
      // If storage is disabled, shortcuts stay on.
    }
  }, []);

  const setOn = (next: boolean) => {
    setKept(next);
    try {
      window.localStorage.setItem(switchName, next ? 'on' : 'off');
    } catch {
      // If storage is disabled, the choice holds for this page only.
    }
  };

  const obey = (command: DeskCommand) => {
    const { desk } = store.snapshot();
    const question = store.question();
    const markable = question && store.state()?.status !== 3;
    switch (command.do) {
      case 'digit':
        // All answers are graded: a late digit must not change the last score.
        if (!markable || !options.score.current || store.isComplete()) return;
        options.score.current.focus();
        store.typeScore(command.digit === '.' ? '0.' : command.digit);
        return;
      case 'rate':
        if (markable) store.type({ user_score: String(command.rate) });
        return;
      case 'full':
        if (markable) store.type({ user_score: String(isRatedDesk(desk) ? rateChoices.at(-1) : question.ques_score) });
        return;
      case 'zero':
        if (markable) store.type({ user_score: '0' });
        return;
      case 'comment': {
        const comment = desk.pinned[command.key];
        if (question && comment) store.toggleComment(comment);
        return;
      }
      case 'save':
        return options.onSave();
      case 'next':
        return store.step(1);
      case 'previous':
        return store.step(-1);
      case 'skip':
        return store.skip();
      case 'finish':
        return options.onFinish();
      case 'write':
        return document.getElementById(commentField)?.focus();
      case 'leave':
        return (document.activeElement as HTMLElement | null)?.blur();
      case 'draw':
        if (question && question.answerImages.length > 0) options.onDraw(0);
        return;
      case 'help':
        return options.onHelp();
    }
  };

  const hear = useEffectEvent((event: KeyboardEvent) => {
    if (options.blocked || event.defaultPrevented) return;
    const focus = focusOf(event.target);
    // Outside of a text field, code 229 is just a key that passed through an input method. With Enter it ends a
    // composition.
    if (focus === 'text' || event.key === 'Enter' ? isComposing(event) : event.isComposing) return;
    const { desk } = store.snapshot();
    if (desk.address.type !== 1 || closedReason(desk)) return;
    const command = commandOf(event, { on, rated: isRatedDesk(desk), focus });
    if (command === undefined) return;
    event.preventDefault();
    // Removes the focus from the score field, or the input method would write the letter into it.
    if (focus === 'score' && isComposing(event)) options.score.current?.blur();
    if (command !== 'swallow') obey(command);
  });

  /** Replays keys that were pressed before hydration, in order. Stops when a dialog opens. */
  const replay = useEffectEvent((keys: readonly EarlyKey[]) => {
    if (options.blocked) return;
    let focus: KeyContext['focus'] = 'none';
    for (const pressed of keys) {
      const { desk, draft } = store.snapshot();
      if (desk.address.type !== 1 || closedReason(desk)) return;
      const command = commandOf({ ...pressed, ...alone }, { on, rated: isRatedDesk(desk), focus });
      if (command === 'swallow') continue;
      if (focus === 'score' && command === undefined && /^[\d.]$/.test(pressed.key)) {
        store.typeScore(draft.user_score + pressed.key);
      } else if (pressed.key === 'Enter' && (command === undefined || command.do === 'save')) {
        const isOver = store.isComplete();
        options.onSave();
        if (isOver) return;
        focus = 'none';
      } else if (command) {
        obey(command);
        if (command.do === 'digit') focus = 'score';
        if (opensDialog.has(command.do)) return;
      }
    }
  });

  useEffect(() => {
    if (!live) return;
    const listen = (event: KeyboardEvent) => hear(event);
    document.addEventListener('keydown', listen);
    replay(takeEarlyKeys());
    return () => document.removeEventListener('keydown', listen);
  }, [live]);

  return [on, setOn];
}

function focusOf(target: EventTarget | null): KeyContext['focus'] {
  if (!(target instanceof HTMLElement)) return 'none';
  if (target.id === scoreField) return 'score';
  if (target instanceof HTMLInputElement && target.type === 'radio') return 'choice';
  if (target instanceof HTMLInputElement && /^(checkbox|file|button|submit)$/.test(target.type)) return 'control';
  if (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName)) return 'text';
  return target.closest('button, a, summary') ? 'control' : 'none';
}
