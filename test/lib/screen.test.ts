import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { dialog, listDialog } from '#app/lib/dialog.ts';
import { listOnScreens, listScreen } from '#app/lib/list-view.ts';
import { screen, screenGroup } from '#app/lib/screen.ts';
import {
  CheckedByDefaultParam,
  OptionalId,
  oneOf,
  optionalOneOf,
  ReturnAddress,
  ScreenId,
  ScreenIdOrAll,
} from '#app/lib/search.ts';
import {
  Id,
  paging,
  SearchId,
  SearchIds,
  SearchText,
  SortDirection,
  searchOneOf,
  searchWord,
} from '#server/platform/calls/fields.ts';

const Tab = v.fallback(v.optional(v.picklist(['students', 'homework'] as const), 'students'), 'students');
const detail = screen('ClassDetail', '/classes/detail', 'screen.tsx', { id: Id, tab: Tab });
const homework = screen('HomeworkManage', '/homework', 'screen.tsx', { tab: v.optional(v.picklist(['main', 'ques'])) });
const Filter = v.object({
  name: SearchText,
  type: searchOneOf([1, 2]),
  course_id: SearchId,
  sort_field: searchWord(['waiting']),
  sort: SortDirection,
  ...paging(),
});
const list = listScreen(screen('HomeworkManage', '/homework', 'screen.tsx'), Filter);
const inClass = listScreen(detail, Filter, { tab: 'homework' });
const mine = listScreen(homework, Filter, { tab: 'main' });
const at = (address: string) => new URL(address, 'http://school.test');

describe('the address of a screen', () => {
  it('omits defaults and encodes the rest', () => {
    expect(detail.href({ id: 3 })).toBe('/classes/detail?id=3');
    expect(detail.href({ id: 3, tab: 'students' })).toBe('/classes/detail?id=3');
    expect(detail.href({ id: 3, tab: 'homework' })).toBe('/classes/detail?id=3&tab=homework');
    expect(screen('Group', '/community/group/:id', 'screen.tsx', { id: v.string() }).href({ id: 'a b' })).toBe(
      '/community/group/a%20b',
    );
    expect(list.href({ name: '一 & 二', page: 2 })).toBe('/homework?name=%E4%B8%80+%26+%E4%BA%8C&page=2');
  });

  it('is read with defaults for invalid values, and is 404 without its record', () => {
    expect(detail.at(at('/classes/detail?id=3&tab=nonsense'))).toEqual({ id: 3, tab: 'students' });
    for (const search of ['', '?id=', '?id=abc', '?id=0', '?id=9999999999999999']) {
      expect(() => detail.at(at(`/classes/detail${search}`))).toThrow(expect.objectContaining({ status: 404 }));
    }
  });
});

describe('a return address', () => {
  const choose = screen('Choose', '/courseware/choose', 'screen.tsx', { return: ReturnAddress });

  it('is kept if it is on this site and dropped otherwise', () => {
    const address = choose.href({ return: '/sessions/class?id=3&page=2' });
    expect(choose.at(at(address)).return).toBe('/sessions/class?id=3&page=2');
    for (const elsewhere of ['//evil.example', 'https://evil.example', '/\\evil.example', '']) {
      expect(choose.at(at(choose.href({ return: elsewhere }))).return).toBeUndefined();
    }
  });
});

describe('an optional record in the address', () => {
  it('is read if it is an id and undefined otherwise', () => {
    const preview = screen('Preview', '/preview', 'screen.tsx', { id: Id, class_id: OptionalId });
    expect(preview.at(at(preview.href({ id: 3, class_id: 7 })))).toEqual({ id: 3, class_id: 7 });
    for (const none of ['', '&class_id=', '&class_id=0', '&class_id=abc']) {
      expect(preview.at(at(`/preview?id=3${none}`)).class_id).toBeUndefined();
    }
  });
});

describe('the search params of an address', () => {
  const desk = screen('Desk', '/desk', 'screen.tsx', {
    report_id: ScreenId,
    class_id: ScreenIdOrAll,
    type: oneOf([1, 2], 1),
    skip: SearchIds,
    back: ReturnAddress,
  });
  const readDesk = (search: string) => desk.at(at(`/desk?report_id=5${search}`));

  it('name one record, or all by 0', () => {
    expect([readDesk('').class_id, readDesk('&class_id=').class_id, readDesk('&class_id=3').class_id]).toEqual([
      0, 0, 3,
    ]);
    expect(desk.href({ report_id: 5, class_id: 0 })).toBe('/desk?report_id=5&class_id=0');
    expect(() => readDesk('&class_id=-1')).toThrow(expect.objectContaining({ status: 404 }));
  });

  it('hold one of a few numbers', () => {
    expect([readDesk('').type, readDesk('&type=2').type, readDesk('&type=9').type]).toEqual([1, 2, 1]);
    expect(desk.href({ report_id: 5, class_id: 0, type: 1 })).toBe('/desk?report_id=5&class_id=0');
    expect(desk.href({ report_id: 5, class_id: 0, type: 2 })).toBe('/desk?report_id=5&class_id=0&type=2');
  });

  it('hold several ids, in one param or in several', () => {
    expect(readDesk('&skip=1,x,,2,1').skip).toEqual([1, 2]);
    expect(readDesk('&skip=1&skip=2').skip).toEqual([1, 2]);
    expect(desk.href({ report_id: 5, class_id: 0, skip: [1, 2] })).toBe('/desk?report_id=5&class_id=0&skip=1,2');
    expect(readDesk('').skip).toEqual([]);
  });

  it('hold a back address on this site only', () => {
    const back = '/homework?tab=approve&name=%E8%A7%A3&page=2';
    expect(readDesk(`&back=${encodeURIComponent(back)}`).back).toBe(back);
    for (const foreign of [
      'https://evil.test/',
      '//evil.test/',
      '/\\evil.test/',
      '/\t/evil.test/',
      '/\n/evil.test/',
      'javascript:alert(1)',
      'homework',
      '/homework 5',
      `/${'x'.repeat(2000)}`,
    ]) {
      expect(readDesk(`&back=${encodeURIComponent(foreign)}`).back).toBeUndefined();
    }
  });
});

describe('the address of a list', () => {
  it('is filtered by its filter fields, not by order or page', () => {
    expect(list.at(at('/homework?page=3&limit=50&sort=asc&sort_field=waiting')).isFiltered).toBe(false);
    expect(list.at(at('/homework?name=%20')).isFiltered).toBe(false);
    expect(list.at(at('/homework?type=9')).isFiltered).toBe(false);
    expect(list.at(at('/homework?type=2')).isFiltered).toBe(true);
    expect(inClass.at(at('/classes/detail?id=3&tab=homework')).isFiltered).toBe(false);
  });

  it('leads to other pages and orders with the filter, and resets without it', () => {
    const shown = inClass.at(at('/classes/detail?id=3&tab=homework&name=%E5%87%BD&limit=50&page=4'));
    expect(shown.filter).toMatchObject({ name: '函', page: 4, limit: 50 });
    expect(shown.page(1)).toBe('/classes/detail?id=3&tab=homework&name=%E5%87%BD&limit=50');
    expect(shown.sorting?.href('waiting', 'asc')).toBe(
      '/classes/detail?id=3&tab=homework&name=%E5%87%BD&sort_field=waiting&sort=asc&limit=50',
    );
    expect(shown.reset).toBe('/classes/detail?id=3&tab=homework&limit=50');
    expect(shown.withOnly({ type: 2 })).toBe('/classes/detail?id=3&tab=homework&type=2&limit=50');
    // Params without a field in the form are sent as hidden fields.
    expect(shown.hiddenFieldsBeside(['name'])).toEqual([
      ['id', '3'],
      ['tab', 'homework'],
      ['limit', '50'],
    ]);
    expect(shown.hiddenFieldsBeside([])).toContainEqual(['name', '函']);
  });
});

describe('a checkbox that is ticked by default', () => {
  const classes = listScreen(
    screen('ClassManage', '/classes', 'screen.tsx'),
    v.object({ name: SearchText, only_mine: CheckedByDefaultParam }),
    {},
    { neutral: ['only_mine'] },
  );

  it('is ticked unless the address says no, and does not count as a filter', () => {
    expect(classes.at(at('/classes')).filter.only_mine).toBe(true);
    const all = classes.at(at('/classes?only_mine=0'));
    expect([all.filter.only_mine, all.isFiltered, all.reset]).toEqual([false, false, '/classes']);
    expect(classes.at(at('/classes?only_mine=0&only_mine=1&name=%E5%87%BD')).here).toBe('/classes?name=%E5%87%BD');
    expect(classes.href({ only_mine: false })).toBe('/classes?only_mine=0');
  });
});

describe('a further param of a list', () => {
  const ticked = listScreen(
    screen('HomeworkManage', '/homework', 'screen.tsx', { tab: oneOf(['main', 'ques'], 'main') }),
    v.object({ name: SearchText }),
    { tab: 'ques' },
    { further: { select: optionalOneOf(['all']) } },
  );

  it('is read and written like the others, and does not count as a filter', () => {
    expect(ticked.href({ select: 'all' })).toBe('/homework?tab=ques&select=all');
    const shown = ticked.at(at('/homework?tab=ques&select=all&name=%E5%87%BD&page=2'));
    expect(shown.place).toEqual({ tab: 'ques', select: 'all' });
    expect(shown.reset).toBe('/homework?tab=ques&select=all');
    expect(ticked.at(at('/homework?tab=ques&select=all')).isFiltered).toBe(false);
    expect(ticked.at(at('/homework?tab=ques&select=none')).place.select).toBeUndefined();
  });
});

describe('a filter field that a visitor is not offered', () => {
  it('is dropped from their filter and address', () => {
    const shown = list.at(at('/homework?name=%E5%87%BD&course_id=4&page=2')).without('course_id');
    expect([shown.filter.course_id, shown.filter.name, shown.here]).toEqual([
      undefined,
      '函',
      '/homework?name=%E5%87%BD&page=2',
    ]);
    expect(list.at(at('/homework?course_id=4')).without('course_id').isFiltered).toBe(false);
  });
});

describe('one of several lists on a screen', () => {
  it('has its tab in every address', () => {
    expect(inClass.href({ id: 3, name: '函' })).toBe('/classes/detail?id=3&tab=homework&name=%E5%87%BD');
    expect(mine.at(at('/homework?page=2')).page(1)).toBe('/homework?tab=main');
  });

  it('has the same address with a dialog over it', () => {
    const shown = mine.at(at('/homework/12/recall?tab=main&name=%E5%87%BD'));
    expect(shown.here).toBe('/homework?tab=main&name=%E5%87%BD');
  });
});

describe('a param in the path', () => {
  const group = screen('Group', '/community/group/:id', 'screen.tsx', { tab: oneOf(['all', 'mine'], 'all') });
  const file = screen('File', '/files/:year/:name', 'screen.tsx', {
    year: v.string(),
    name: v.string(),
    download: OptionalId,
  });

  it('is the id of a record, or the declared text', () => {
    expect(group.at(at('/community/group/7?tab=mine'))).toEqual({ id: 7, tab: 'mine' });
    expect(group.at(at('/community/group/7/leave?id=9')).id).toBe(7);
    expect(file.href({ year: '2026', name: '一 二.pdf', download: 1 })).toBe(
      '/files/2026/%E4%B8%80%20%E4%BA%8C.pdf?download=1',
    );
    expect(file.at(at('/files/2026/%E4%B8%80.pdf?name=x'))).toEqual({ year: '2026', name: '一.pdf' });
  });

  it('is 404 if it is no id', () => {
    for (const path of ['/community/group/abc', '/community/group/0', '/community/group/%zz', '/elsewhere/7']) {
      expect(() => group.at(at(path))).toThrow(expect.objectContaining({ status: 404 }));
    }
  });
});

describe('the addresses that a screen covers', () => {
  const publish = screen('Publish', '/homework/publish', 'screen.tsx');

  it('include its dialogs and sub-pages, but not paths that merely begin alike', () => {
    const own = ['/homework/publish', '/homework/publish/', '/homework/publish?a=1', '/homework/publish#top'];
    for (const address of [...own, '/homework/publish/course?title=x']) expect(publish.covers(address)).toBe(true);
    for (const address of ['/homework/publishing', '/homework', '/']) expect(publish.covers(address)).toBe(false);
    expect(['', '/course'].map((below) => publish.isAlone(at(`/homework/publish${below}`)))).toEqual([true, false]);
  });
});

describe('one screen at two paths', () => {
  const search = { id: ScreenId, tab: oneOf(['students', 'homework'], 'students') };
  const group = screen('GroupLesson', '/sessions/class', 'screen.tsx', search);
  const single = screen('SingleLesson', '/sessions/class/one-to-one', 'screen.tsx', search);
  const lesson = screenGroup(group, single);
  const students = listOnScreens(lesson, v.object({ name: SearchText, ...paging() }), { tab: 'students' });
  const leave = dialog(lesson, 'leave', 'dialog.tsx');

  it('is read at each path', () => {
    expect(lesson.of('/sessions/class/leave?id=3')).toBe(group);
    expect(lesson.of('/sessions/class/one-to-one/leave')).toBe(single);
    expect(lesson.at(at('/sessions/class/one-to-one?id=3'))).toEqual({ id: 3, tab: 'students' });
  });

  it('has lists and dialogs that stay at the current path', () => {
    for (const path of ['/sessions/class', '/sessions/class/one-to-one']) {
      const shown = students.at(at(`${path}/leave?id=3&name=x`));
      expect([shown.here, shown.page(2)]).toEqual([`${path}?id=3&name=x`, `${path}?id=3&name=x&page=2`]);
      expect(leave.href(shown.here)).toBe(`${path}/leave?id=3&name=x`);
      expect(leave.behind(at(`${path}/leave?id=3`))).toBe(`${path}?id=3`);
    }
  });
});

describe('a dialog', () => {
  const recall = dialog(list, ':id/recall', 'dialog.tsx');
  const removal = dialog(homework, 'questions/delete', 'dialog.tsx', { ids: SearchIds });

  it('opens over the list as it was, and closes to it', () => {
    const behind = list.href({ name: '函', page: 2 });
    expect(recall.href(behind, { id: 12 })).toBe('/homework/12/recall?name=%E5%87%BD&page=2');
    expect(recall.behind(at(recall.href(behind, { id: 12 })))).toBe(behind);
  });

  it('has a path below its screen and an id with the screen’s', () => {
    expect(recall.places).toEqual([
      { id: 'HomeworkManage/recall', pattern: '/homework/:id/recall', path: ':id/recall', under: 'HomeworkManage' },
    ]);
  });

  it('knows whether it is open, and for which record', () => {
    const address = at('/homework/12/recall?name=x');
    expect([recall.isOpen(address), recall.isOpen(at('/homework?name=x'))]).toEqual([true, false]);
    // A word in place of the id belongs to another address.
    expect(recall.isOpen(at('/homework/detail/recall'))).toBe(false);
    expect(recall.at(address)).toEqual({ id: 12 });
    expect(() => recall.at(at('/homework/x/recall'))).toThrow(expect.objectContaining({ status: 404 }));
  });

  it('opens only over the screens that it is declared over', () => {
    const exams = screen('ExamManage', '/exams', 'screen.tsx');
    // @ts-expect-error: an address of another screen.
    recall.href(exams.href(), { id: 12 });
    // @ts-expect-error: any text.
    recall.href('/homework', { id: 12 });
    expect(recall.href(list.href(), { id: 12 })).toBe('/homework/12/recall');
  });

  it('has an address to close to, and a new idempotency key at each opening', () => {
    const address = at('/homework/12/recall?name=x');
    const [one, other] = [recall.opened(address), recall.opened(address)];
    expect([one.closeHref, other.closeHref]).toEqual(['/homework?name=x', '/homework?name=x']);
    expect(one.idempotencyKey).not.toBe(other.idempotencyKey);
  });

  it('removes its own params when it closes', () => {
    const address = removal.href(homework.href({ tab: 'ques' }), { ids: [1, 2] });
    expect(address).toBe('/homework/questions/delete?tab=ques&ids=1,2');
    expect(removal.at(at(address))).toEqual({ ids: [1, 2] });
    expect(removal.behind(at(address))).toBe('/homework?tab=ques');
  });

  it('reads several chosen ids, in one param each or separated by commas', () => {
    const leave = screen('Leave', '/leave', 'screen.tsx');
    const chosen = dialog(leave, 'decide', 'dialog.tsx', { ids: SearchIds });
    expect(chosen.at(at('/leave/decide?ids=3&ids=5&ids=3&ids=x'))).toEqual({ ids: [3, 5] });
    expect(chosen.at(at(chosen.href(leave.href(), { ids: [3, 5] })))).toEqual({ ids: [3, 5] });
  });

  it('answers 404 with its own message if its record is missing', async () => {
    const one = dialog(
      screen('Student', '/student', 'screen.tsx'),
      'periods',
      'dialog.tsx',
      { course_id: Id },
      { missing: '课程不存在' },
    );
    let thrown: unknown;
    try {
      one.at(at('/student/periods'));
    } catch (error) {
      thrown = error;
    }
    expect((thrown as Response).status).toBe(404);
    expect(await (thrown as Response).json()).toEqual({ msg: '课程不存在' });
  });
});

describe('a dialog with a list over a list', () => {
  const course = screen('Course', '/course', 'screen.tsx', { id: Id });
  const lessons = listScreen(course, v.object({ ...paging() }));
  const lesson = listDialog(course, 'lesson', 'dialog.tsx', v.object({ page: paging().page }), { period_id: Id });
  const mark = dialog(lesson, 'mark', 'dialog.tsx', { uid: Id, page: SearchText });
  const behind = lessons.href({ id: 3, page: 2 });

  it('keeps the page of the list behind it', () => {
    const address = lesson.href(behind, { period_id: 7, page: 4 });
    expect(address).toBe('/course/lesson?id=3&behind-page=2&period_id=7&page=4');
    expect(lesson.at(at(address))).toMatchObject({ place: { period_id: 7 }, filter: { page: 4 } });
    expect(lesson.behind(at(address))).toBe('/course?id=3&page=2');
    expect(lesson.href(lessons.href({ id: 3 }), { period_id: 7 })).toBe('/course/lesson?id=3&period_id=7');
  });

  it('pages its own list and keeps the one behind it', () => {
    const view = lesson.at(at(lesson.href(behind, { period_id: 7, page: 4 })));
    expect(view.page(5)).toBe('/course/lesson?id=3&behind-page=2&period_id=7&page=5');
    expect(view.here).toBe('/course/lesson?id=3&behind-page=2&period_id=7&page=4');
    expect(view.hiddenFieldsBeside([])).toEqual([
      ['id', '3'],
      ['behind-page', '2'],
      ['period_id', '7'],
    ]);
  });

  it('keeps both lists under a further dialog', () => {
    const address = lesson.href(behind, { period_id: 7, page: 4 });
    const further = mark.href(address, { uid: 9, page: 'x' });
    expect(further).toBe('/course/lesson/mark?id=3&period_id=7&behind-behind-page=2&behind-page=4&uid=9&page=x');
    for (const shown of [address, further, mark.behind(at(further))]) {
      expect(lessons.at(at(shown)).here).toBe('/course?id=3&page=2');
    }
    expect(lessons.at(at('/course?id=3&page=5')).filter.page).toBe(5);
    for (const shown of [further, mark.behind(at(further))]) expect(lesson.at(at(shown)).here).toBe(address);
    expect(lesson.behind(at(further))).toBe(behind);
    expect([course.here(at(further)), screenGroup(course).here(at(address))]).toEqual([behind, behind]);
  });

  it('has the same address under a further dialog without list params', () => {
    const plain = dialog(lesson, 'plain', 'dialog.tsx', { uid: Id });
    const address = lesson.href(behind, { period_id: 7, page: 4 });
    const further = at(plain.href(address, { uid: 9 }));
    expect([plain.behind(further), lessons.at(further).here]).toEqual([address, '/course?id=3&page=2']);
  });
});
