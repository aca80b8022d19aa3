import { describe, expect, test } from 'vitest';
import type { Mark } from '../../app/grading/board/markup-document.ts';
import {
  currentMarkup,
  currentPage,
  hasUnsavedMarks,
  nextSession,
  openSession,
  type Session,
  type SessionAction,
  unsavedPages,
} from '../../app/grading/board/markup-session.ts';

const tick: Mark = { name: 'right', x: 10, y: 10 };
const rect: Mark = { name: 'rect', x: 10, y: 10, w: 30, h: 20 };
const add = (mark: Mark): SessionAction => ({ type: 'add', mark, unit: 1 });
const write = (text: string): SessionAction => ({ type: 'write', text });
const newText: SessionAction = { type: 'edit', editing: { index: null, mark: { name: 'text', x: 5, y: 5, text: '' } } };

function sessionAfter(...steps: SessionAction[]): Session {
  return steps.reduce(nextSession, openSession([{ url: 'a' }, { url: 'b' }], 0));
}
const names = (session: Session) => currentPage(session).markup.marks.map((mark) => mark.name);

describe('tools of the mark-up board', () => {
  test('selects a tool, deselects it when chosen again, or replaces it by another', () => {
    expect(sessionAfter({ type: 'tool', tool: 'rect' }).tool).toBe('rect');
    expect(sessionAfter({ type: 'tool', tool: 'rect' }, { type: 'tool', tool: 'rect' }).tool).toBeNull();
    expect(sessionAfter({ type: 'tool', tool: 'rect' }, { type: 'tool', tool: 'text' }).tool).toBe('text');
  });

  test('deselects the mark when a tool is chosen', () => {
    expect(sessionAfter(add(rect), { type: 'select', index: 0 }, { type: 'tool', tool: 'rect' }).selected).toBeNull();
  });

  test('closes the text editor and deselects the tool on Escape, keeping the text', () => {
    const session = sessionAfter({ type: 'tool', tool: 'text' }, newText, write('好'), { type: 'escape' });
    expect(session).toMatchObject({ tool: null, editing: null });
    expect(currentPage(session).markup.marks).toEqual([{ name: 'text', x: 5, y: 5, text: '好' }]);
  });
});

describe('deleting a mark on the board', () => {
  test('deletes the selected mark only', () => {
    const session = sessionAfter(add(tick), add(rect), { type: 'select', index: 0 }, { type: 'delete' });
    expect(names(session)).toEqual(['rect']);
    expect(session.selected).toBeNull();
  });

  test('deletes nothing without a selection or while a text is edited', () => {
    expect(names(sessionAfter(add(tick), { type: 'delete' }))).toEqual(['right']);
    expect(names(sessionAfter(add(tick), newText, { type: 'delete' }))).toEqual(['right']);
  });
});

describe('writing a text on the board', () => {
  const written = [newText, write('好'), { type: 'close editor' }] satisfies SessionAction[];

  test('does not add an empty text', () => {
    expect(names(sessionAfter(newText, write('  '), { type: 'close editor' }))).toEqual([]);
  });

  test('removes a text emptied while editing', () => {
    const mark = currentPage(sessionAfter(...written)).markup.marks[0];
    if (mark?.name !== 'text') throw new Error('no text was added');
    const session = sessionAfter(...written, { type: 'edit', editing: { index: 0, mark } }, write(''), {
      type: 'close editor',
    });
    expect(names(session)).toEqual([]);
  });

  test('includes the text in the current mark-up before the editor is closed', () => {
    const session = sessionAfter(newText, write('写到一'));
    expect(names(session)).toEqual([]);
    expect(currentMarkup(session).marks).toEqual([{ name: 'text', x: 5, y: 5, text: '写到一' }]);
    expect(hasUnsavedMarks(session)).toBe(true);
  });

  test('closes the editor and keeps the text on every other action', () => {
    for (const step of [
      { type: 'rotate' },
      { type: 'show', index: 1 },
      { type: 'tool', tool: 'rect' },
    ] satisfies SessionAction[]) {
      const session = sessionAfter(newText, write('好'), step);
      expect(session.editing).toBeNull();
      expect(session.pages[0]?.markup.marks).toHaveLength(1);
    }
  });
});

describe('undo and clear on the board', () => {
  test('undoes the last mark', () => {
    expect(names(sessionAfter(add(tick), add(rect), { type: 'undo' }))).toEqual(['right']);
  });

  test('undoes a clear and brings every mark back', () => {
    const session = sessionAfter(add(tick), add(rect), { type: 'clear' }, { type: 'undo' });
    expect(names(session)).toEqual(['right', 'rect']);
  });

  test('undoes the mark drawn after a clear, not the clear', () => {
    expect(names(sessionAfter(add(tick), { type: 'clear' }, add(rect), { type: 'undo' }))).toEqual([]);
  });
});

describe('redo on the board', () => {
  const undo: SessionAction = { type: 'undo' };
  const redo: SessionAction = { type: 'redo' };

  test('brings undone marks back one by one', () => {
    const undone = sessionAfter(add(tick), add(rect), undo, undo);
    expect(names(undone)).toEqual([]);
    expect(names(nextSession(undone, redo))).toEqual(['right']);
    expect(names([redo, redo, redo].reduce(nextSession, undone))).toEqual(['right', 'rect']);
  });

  test('repeats a clear, which undo brings back again', () => {
    const cleared = sessionAfter(add(tick), add(rect), { type: 'clear' }, undo, redo);
    expect(names(cleared)).toEqual([]);
    expect(names(nextSession(cleared, undo))).toEqual(['right', 'rect']);
  });

  test.each<[string, SessionAction]>([
    ['drawn', add(tick)],
    ['moved', { type: 'replace', index: 0, mark: { ...tick, x: 90 }, unit: 1 }],
    ['cleared', { type: 'clear' }],
  ])('has nothing to redo once something is %s', (_, step) => {
    const session = sessionAfter(add(tick), add(rect), undo, step);
    expect(nextSession(session, redo)).toEqual(session);
  });

  test('keeps the undone marks of each image apart', () => {
    const session = sessionAfter(add(tick), undo, { type: 'show', index: 1 }, redo);
    expect(names(session)).toEqual([]);
    expect(names(nextSession(nextSession(session, { type: 'show', index: 0 }), redo))).toEqual(['right']);
  });
});

describe('several images on the board', () => {
  test('keep their own marks and rotation', () => {
    const session = sessionAfter(add(tick), { type: 'rotate' }, { type: 'show', index: 1 }, add(rect));
    expect(session.pages.map((page) => [page.markup.rotation, page.markup.marks.length])).toEqual([
      [90, 1],
      [0, 1],
    ]);
  });

  test('have unsaved marks until these are saved or undone', () => {
    const session = sessionAfter(add(tick));
    expect(hasUnsavedMarks(session)).toBe(true);
    expect(hasUnsavedMarks(nextSession(session, { type: 'undo' }))).toBe(false);
    const saved = nextSession(session, { type: 'saved', index: 0, markup: currentPage(session).markup });
    expect(hasUnsavedMarks(saved)).toBe(false);
    expect(hasUnsavedMarks(nextSession(saved, { type: 'rotate' }))).toBe(true);
  });

  test('keep a mark unsaved that is drawn during a save', () => {
    const session = sessionAfter(add(tick));
    const { markup } = currentPage(session);
    const drawn = nextSession(session, add(rect));
    expect(hasUnsavedMarks(nextSession(drawn, { type: 'saved', index: 0, markup }))).toBe(true);
  });

  test('have unsaved marks when opened with a draft that was never saved', () => {
    const draw = '{"bg":[{"rotation":0}],"draw":[]}';
    const draft = '{"bg":[{"rotation":0}],"draw":[{"name":"right","x":1,"y":2}]}';
    const session = openSession(
      [
        { url: 'a', draw },
        { url: 'b', draw, draft },
      ],
      0,
    );
    expect(unsavedPages(session)).toEqual([1]);
    expect(session.pages[1]?.markup.marks).toHaveLength(1);
  });

  test('open with their saved mark-up; an unreadable one is empty and flagged as broken', () => {
    const draw = '{"bg":[{"rotation":90}],"draw":[{"name":"right","x":1,"y":2}]}';
    const session = openSession(
      [
        { url: 'a', draw },
        { url: 'b', draw: '{' },
      ],
      0,
    );
    expect(session.pages.map((page) => [page.markup.marks.length, page.broken])).toEqual([
      [1, false],
      [0, true],
    ]);
    expect(hasUnsavedMarks(session)).toBe(false);
  });
});
