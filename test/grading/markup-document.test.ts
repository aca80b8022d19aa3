import { describe, expect, test } from 'vitest';
import {
  boundsOf,
  type Extent,
  handlesOf,
  hitTest,
  moveMark,
  resizeMark,
} from '../../app/grading/board/mark-geometry.ts';
import {
  addMark,
  clearMarks,
  emptyMarkup,
  type Mark,
  type Markup,
  parseMarkup,
  removeMark,
  replaceMark,
  rotateMarkup,
  serializeMarkup,
  undoMark,
} from '../../app/grading/board/markup-document.ts';

const everyMark: Mark[] = [
  { name: 'rect', x: 10, y: 20, w: 100.5, h: 50 },
  { name: 'ellipse', x: 200, y: 20, w: 80, h: 40 },
  { name: 'arrow', x: 10, y: 200, ox: 150, oy: 260 },
  {
    name: 'line',
    x: 300,
    y: 300,
    data: [
      { x: 300, y: 300 },
      { x: 310.2, y: 305 },
      { x: 290, y: 340 },
    ],
  },
  { name: 'right', x: 50, y: 60 },
  { name: 'wrong', x: 70.1, y: 60 },
  { name: 'half', x: 90, y: 60 },
  { name: 'text', x: 400, y: 10, text: '步骤不完整\n扣 2 分' },
];

const extent: Extent = { unit: 1, textBox: ({ x, y, text }) => ({ x, y, w: text.length * 16, h: 20 }) };

describe('the saved mark-up', () => {
  test('has the fields that other applications read', () => {
    const saved = JSON.parse(serializeMarkup({ rotation: 90, marks: everyMark }));
    expect(saved).toEqual({
      bg: [{ rotation: 90 }],
      draw: [
        { name: 'rect', x: 10, y: 20, w: 100.5, h: 50 },
        { name: 'ellipse', x: 200, y: 20, w: 80, h: 40 },
        { name: 'arrow', x: 10, y: 200, ox: 150, oy: 260 },
        { name: 'line', x: 300, y: 300, data: '300,300|310.2,305|290,340' },
        { name: 'right', x: 50, y: 60 },
        { name: 'wrong', x: 70.1, y: 60 },
        { name: 'half', x: 90, y: 60 },
        { name: 'text', x: 400, y: 10, text: '步骤不完整\n扣 2 分' },
      ],
    });
  });

  test.each([0, 90, 180, 270] as const)('is read back unchanged at rotation %i', (rotation) => {
    const markup: Markup = { rotation, marks: everyMark };
    expect(parseMarkup(serializeMarkup(markup))).toEqual({ markup, broken: false });
  });

  test.each([null, undefined, '', '  '])('reads nothing saved yet (%j) as empty and not broken', (draw) => {
    expect(parseMarkup(draw)).toEqual({ markup: emptyMarkup, broken: false });
  });

  test.each(['{', 'null', '[]', '"x"', '{"bg":[]}', '{"draw":{}}', '<svg/>'])(
    'reads unreadable mark-up (%s) as empty and broken',
    (draw) => {
      expect(parseMarkup(draw)).toEqual({ markup: emptyMarkup, broken: true });
    },
  );

  test('keeps every number the same, however often it is read and saved', () => {
    const rect = { name: 'rect', x: 100.1, y: 20.3, w: 200.4, h: 50.7 };
    // Format of earlier versions; untouched marks stay unchanged.
    const ellipse = { name: 'ellipse', x: 1.25, y: 2, w: 200.39999999999998, h: 50 };
    let draw = JSON.stringify({ bg: [{ rotation: 0 }], draw: [rect, ellipse] });
    const first = draw;
    for (let time = 0; time < 3; time++) draw = serializeMarkup(parseMarkup(draw).markup);
    expect(draw).toBe(first);
    const turnedRound = { name: 'rect', x: 300.5, y: 20.3, w: -200.4, h: 50.7 };
    const { markup } = parseMarkup(JSON.stringify({ bg: [], draw: [turnedRound] }));
    expect(markup.marks).toEqual([{ name: 'rect', x: 100.1, y: 20.3, w: 200.4, h: 50.7 }]);
    const moved = replaceMark(markup, 0, moveMark(markup.marks[0] as Mark, { x: 0.3, y: 0.1 }), 1);
    expect(moved.marks).toEqual([{ name: 'rect', x: 100.4, y: 20.4, w: 200.4, h: 50.7 }]);
  });

  test('leaves out an unreadable mark, keeps the others and is broken', () => {
    const draw = JSON.stringify({
      bg: [{ rotation: 180 }],
      draw: [
        { name: 'right', x: 1, y: 2 },
        { name: 'star', x: 1, y: 2 },
        { name: 'rect', x: 1, y: 2 },
        { name: 'rect', x: 1, y: 2, w: 'wide', h: 3 },
        { name: 'wrong', x: 1e9, y: 2 },
        { name: 'line', x: 1, y: 2, data: '1,2|3' },
        { name: 'text', x: 1, y: 2 },
        null,
      ],
    });
    expect(parseMarkup(draw)).toEqual({
      markup: { rotation: 180, marks: [{ name: 'right', x: 1, y: 2 }] },
      broken: true,
    });
  });

  test.each([
    ['[90]', 90],
    ['[{"rotation":450}]', 90],
    ['[{"rotation":-90}]', 270],
    ['[{"rotation":89.6}]', 90],
    ['[]', 0],
  ])('reads the background %s as rotation %i', (bg, rotation) => {
    expect(parseMarkup(`{"bg":${bg},"draw":[]}`)).toEqual({ markup: { rotation, marks: [] }, broken: false });
  });

  test('reads a rectangle dragged to the left and up with a positive size', () => {
    const draw = '{"bg":[],"draw":[{"name":"rect","x":100,"y":80,"w":-60,"h":-30}]}';
    expect(parseMarkup(draw).markup.marks).toEqual([{ name: 'rect', x: 40, y: 50, w: 60, h: 30 }]);
  });

  test('leaves out a mark without extent and is not broken', () => {
    const draw = '{"bg":[],"draw":[{"name":"rect","x":1,"y":1,"w":0,"h":5},{"name":"line","x":1,"y":1,"data":""}]}';
    expect(parseMarkup(draw)).toEqual({ markup: emptyMarkup, broken: false });
  });
});

describe('marks too small to keep', () => {
  const discarded: Mark[] = [
    { name: 'rect', x: 5, y: 5, w: 0, h: 40 },
    { name: 'rect', x: 5, y: 5, w: 40, h: 0 },
    { name: 'ellipse', x: 5, y: 5, w: 0, h: 40 },
    { name: 'ellipse', x: 5, y: 5, w: 40, h: 0.04 },
    { name: 'arrow', x: 0, y: 0, ox: 10, oy: 0 },
    { name: 'arrow', x: 0, y: 0, ox: 6, oy: 8 },
    { name: 'line', x: 5, y: 5, data: [] },
    { name: 'line', x: 5, y: 5, data: [{ x: 5, y: 5 }] },
    { name: 'text', x: 5, y: 5, text: ' \n' },
  ];
  test.each(discarded)('does not add $name %j', (mark) => {
    expect(addMark(emptyMarkup, mark, 1)).toBe(emptyMarkup);
  });

  test('keeps an arrow longer than 10', () => {
    expect(addMark(emptyMarkup, { name: 'arrow', x: 0, y: 0, ox: 10.1, oy: 0 }, 1).marks).toHaveLength(1);
  });

  test('measures the shortest arrow in screen pixels on a large image', () => {
    const arrow: Mark = { name: 'arrow', x: 0, y: 0, ox: 30, oy: 0 };
    expect(addMark(emptyMarkup, arrow, 4).marks).toHaveLength(0);
    expect(addMark(emptyMarkup, arrow, 2).marks).toHaveLength(1);
  });

  test('keeps the old mark when a resize would make it vanish', () => {
    const markup: Markup = { rotation: 0, marks: everyMark };
    expect(replaceMark(markup, 0, { name: 'rect', x: 10, y: 20, w: 0, h: 50 }, 1)).toBe(markup);
  });
});

describe('editing the mark-up', () => {
  const markup: Markup = { rotation: 0, marks: everyMark };

  test('adds a mark at the end, in tenths of a pixel', () => {
    const added = addMark(markup, { name: 'ellipse', x: 1.26, y: 2.04, w: 10.333, h: 5 }, 1);
    expect(added.marks.slice(0, -1)).toEqual(everyMark);
    expect(added.marks.at(-1)).toEqual({ name: 'ellipse', x: 1.3, y: 2, w: 10.3, h: 5 });
  });

  test('drops the points between the ends of a straight stretch', () => {
    const data = Array.from({ length: 50 }, (_, index) => ({ x: index, y: 10 + (index % 2) * 0.2 }));
    const corner = [...data, { x: 49, y: 60 }];
    const added = addMark(emptyMarkup, { name: 'line', x: 0, y: 10, data: corner }, 1).marks[0];
    expect(added).toEqual({
      name: 'line',
      x: 0,
      y: 10,
      data: [
        { x: 0, y: 10 },
        { x: 49, y: 10.2 },
        { x: 49, y: 60 },
      ],
    });
  });

  test('removes the last mark by undo, and nothing from an empty list', () => {
    expect(undoMark(markup).marks).toEqual(everyMark.slice(0, -1));
    expect(undoMark(emptyMarkup).marks).toEqual([]);
  });

  test('clears all marks and keeps the rotation', () => {
    expect(clearMarks({ rotation: 270, marks: everyMark })).toEqual({ rotation: 270, marks: [] });
  });

  test('removes one mark, or replaces it in its place', () => {
    expect(removeMark(markup, 2).marks.map((mark) => mark.name)).not.toContain('arrow');
    const moved = replaceMark(markup, 4, { name: 'right', x: 1, y: 1 }, 1);
    expect(moved.marks).toEqual([...everyMark.slice(0, 4), { name: 'right', x: 1, y: 1 }, ...everyMark.slice(5)]);
  });

  test('rotates by 90 degrees clockwise and leaves the marks’ coordinates', () => {
    const turns = [1, 2, 3, 4].reduce<Markup[]>((all) => [...all, rotateMarkup(all.at(-1) ?? markup)], []);
    expect(turns.map((turned) => turned.rotation)).toEqual([90, 180, 270, 0]);
    for (const turned of turns) expect(turned.marks).toBe(everyMark);
  });
});

describe('moving and resizing a mark', () => {
  test.each(everyMark)('$name moves as a whole', (mark) => {
    const before = boundsOf(mark, extent);
    const moved = moveMark(mark, { x: 7, y: -3 });
    const after = boundsOf(moved, extent);
    expect(after.x).toBeCloseTo(before.x + 7);
    expect(after.y).toBeCloseTo(before.y - 3);
    expect(after.w).toBeCloseTo(before.w);
    expect(after.h).toBeCloseTo(before.h);
    const back = moveMark(moved, { x: -7, y: 3 });
    expect(boundsOf(back, extent).x).toBeCloseTo(before.x);
    expect(moved.name).toBe(mark.name);
  });

  test('gives rectangles and ellipses eight handles, an arrow two and the others none', () => {
    const counts = everyMark.map((mark) => [mark.name, handlesOf(mark).length]);
    expect(Object.fromEntries(counts)).toEqual({
      rect: 8,
      ellipse: 8,
      arrow: 2,
      line: 0,
      right: 0,
      wrong: 0,
      half: 0,
      text: 0,
    });
  });

  test.each([
    ['nw', { x: 5, y: 6, w: 105, h: 64 }],
    ['n', { x: 10, y: 6, w: 100, h: 64 }],
    ['ne', { x: 5, y: 6, w: 5, h: 64 }],
    ['e', { x: 5, y: 20, w: 5, h: 50 }],
    ['se', { x: 5, y: 6, w: 5, h: 14 }],
    ['s', { x: 10, y: 6, w: 100, h: 14 }],
    ['sw', { x: 5, y: 6, w: 105, h: 14 }],
    ['w', { x: 5, y: 20, w: 105, h: 50 }],
  ] as const)('moves only the sides of handle %s', (handle, expected) => {
    const rect: Mark = { name: 'rect', x: 10, y: 20, w: 100, h: 50 };
    expect(resizeMark(rect, handle, { x: 5, y: 6 })).toEqual({ name: 'rect', ...expected });
  });

  test('places every handle so that dragging it to its own point changes nothing', () => {
    for (const mark of everyMark) {
      for (const { handle, x, y } of handlesOf(mark)) expect(resizeMark(mark, handle, { x, y })).toEqual(mark);
    }
  });

  test('drags an arrow by either end', () => {
    const arrow: Mark = { name: 'arrow', x: 0, y: 0, ox: 50, oy: 0 };
    expect(resizeMark(arrow, 'tail', { x: 5, y: 9 })).toEqual({ name: 'arrow', x: 5, y: 9, ox: 50, oy: 0 });
    expect(resizeMark(arrow, 'head', { x: 5, y: 9 })).toEqual({ name: 'arrow', x: 0, y: 0, ox: 5, oy: 9 });
  });
});

describe('the mark under a click', () => {
  test.each([
    ['the edge of the rect', { x: 60, y: 21 }, 0],
    ['the edge of the ellipse', { x: 240, y: 19 }, 1],
    ['the shaft of the arrow', { x: 80, y: 231 }, 2],
    ['a stretch of the line', { x: 306, y: 302 }, 3],
    ['the tick', { x: 45, y: 65 }, 4],
    ['the text', { x: 450, y: 20 }, 7],
  ])('is found by %s', (_, point, index) => {
    expect(hitTest(everyMark, point, 4, extent)).toBe(index);
  });

  test('is none beside the marks', () => {
    expect(hitTest(everyMark, { x: 600, y: 600 }, 4, extent)).toBeNull();
    expect(hitTest(everyMark, { x: 202, y: 22 }, 2, extent)).toBeNull();
  });

  test('is the latest where marks overlap', () => {
    const marks: Mark[] = [
      { name: 'right', x: 50, y: 50 },
      { name: 'wrong', x: 52, y: 50 },
    ];
    expect(hitTest(marks, { x: 51, y: 50 }, 4, extent)).toBe(1);
  });

  test('is a frame by its inside, unless a mark inside it is hit', () => {
    const marks: Mark[] = [
      { name: 'ellipse', x: 20, y: 20, w: 60, h: 60 },
      { name: 'right', x: 150, y: 150 },
      { name: 'rect', x: 0, y: 0, w: 300, h: 300 },
    ];
    expect(hitTest(marks, { x: 250, y: 100 }, 4, extent)).toBe(2);
    expect(hitTest(marks, { x: 150, y: 150 }, 4, extent)).toBe(1);
    expect(hitTest(marks, { x: 50, y: 50 }, 4, extent)).toBe(0);
    expect(hitTest(marks, { x: 23, y: 23 }, 1, extent)).toBe(2);
  });
});
