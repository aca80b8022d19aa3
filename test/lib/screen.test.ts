import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import {
  beneath,
  dialog,
  listScreen,
  MaybeId,
  OwnAddress,
  oneOf,
  pathOver,
  ScreenId,
  ScreenIdOrAll,
  screen,
  UsuallyTicked,
} from '#app/lib/screen.ts';
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
const detail = screen('ClassDetail', '/classes/detail', { id: Id, tab: Tab });
const homework = screen('HomeworkManage', '/homework', { tab: v.optional(v.picklist(['main', 'ques'])) });
const Filter = v.object({
  name: SearchText,
  type: searchOneOf([1, 2]),
  course_id: SearchId,
  sort_field: searchWord(['waiting']),
  sort: SortDirection,
  ...paging(),
});
const list = listScreen(screen('HomeworkManage', '/homework'), Filter);
const inClass = listScreen(detail, Filter, { tab: 'homework' });
const mine = listScreen(homework, Filter, { tab: 'main' });
const at = (address: string) => new URL(address, 'http://school.test');

describe('the address of a screen', () => {
  it('leaves out what is usual and encodes the rest', () => {
    expect(detail.href({ id: 3 })).toBe('/classes/detail?id=3');
    expect(detail.href({ id: 3, tab: 'students' })).toBe('/classes/detail?id=3');
    expect(detail.href({ id: 3, tab: 'homework' })).toBe('/classes/detail?id=3&tab=homework');
    expect(screen('Group', '/community/group/:id').href({ id: 'a b' })).toBe('/community/group/a%20b');
    expect(list.href({ name: '一 & 二', page: 2 })).toBe('/homework?name=%E4%B8%80+%26+%E4%BA%8C&page=2');
  });

  it('reads what is there, drops nonsense, and is no page without the record it is about', () => {
    expect(detail.at(at('/classes/detail?id=3&tab=nonsense'))).toEqual({ id: 3, tab: 'students' });
    for (const search of ['', '?id=', '?id=abc', '?id=0', '?id=99999999999']) {
      expect(() => detail.at(at(`/classes/detail${search}`))).toThrow(expect.objectContaining({ status: 404 }));
    }
  });
});

describe('a way back in the address', () => {
  const choose = screen('Choose', '/courseware/choose', { return: OwnAddress });

  it('leads to a page of ours or is dropped', () => {
    const address = choose.href({ return: '/sessions/class?id=3&page=2' });
    expect(choose.at(at(address)).return).toBe('/sessions/class?id=3&page=2');
    for (const elsewhere of ['//evil.example', 'https://evil.example', '/\\evil.example', '']) {
      expect(choose.at(at(choose.href({ return: elsewhere }))).return).toBeUndefined();
    }
  });
});

describe('a record that may be named as well', () => {
  it('is read where it is one, and missed nowhere', () => {
    const preview = screen('Preview', '/preview', { id: Id, class_id: MaybeId });
    expect(preview.at(at(preview.href({ id: 3, class_id: 7 })))).toEqual({ id: 3, class_id: 7 });
    for (const none of ['', '&class_id=', '&class_id=0', '&class_id=abc']) {
      expect(preview.at(at(`/preview?id=3${none}`)).class_id).toBeUndefined();
    }
  });
});

describe('what an address says', () => {
  const desk = screen('Desk', '/desk', {
    report_id: ScreenId,
    class_id: ScreenIdOrAll,
    type: oneOf([1, 2], 1),
    skip: SearchIds,
    back: OwnAddress,
  });
  const read = (search: string) => desk.at(at(`/desk?report_id=5${search}`));

  it('names all records of a kind as one of them is named', () => {
    expect([read('').class_id, read('&class_id=').class_id, read('&class_id=3').class_id]).toEqual([0, 0, 3]);
    expect(desk.href({ report_id: 5, class_id: 0 })).toBe('/desk?report_id=5&class_id=0');
    expect(() => read('&class_id=-1')).toThrow(expect.objectContaining({ status: 404 }));
  });

  it('holds numbers of a few', () => {
    expect([read('').type, read('&type=2').type, read('&type=9').type]).toEqual([1, 2, 1]);
    expect(desk.href({ report_id: 5, class_id: 0, type: 1 })).toBe('/desk?report_id=5&class_id=0');
    expect(desk.href({ report_id: 5, class_id: 0, type: 2 })).toBe('/desk?report_id=5&class_id=0&type=2');
  });

  it('holds several records, in one param or in several', () => {
    expect(read('&skip=1,x,,2,1').skip).toEqual([1, 2]);
    expect(read('&skip=1&skip=2').skip).toEqual([1, 2]);
    expect(desk.href({ report_id: 5, class_id: 0, skip: [1, 2] })).toBe('/desk?report_id=5&class_id=0&skip=1,2');
    expect(read('').skip).toEqual([]);
  });

  it('leads back, as long as that is on this site', () => {
    const back = '/homework?tab=approve&name=%E8%A7%A3&page=2';
    expect(read(`&back=${encodeURIComponent(back)}`).back).toBe(back);
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
      expect(read(`&back=${encodeURIComponent(foreign)}`).back).toBeUndefined();
    }
  });
});

describe('a list', () => {
  it('is filtered by what narrows it, not by its order or its page', () => {
    expect(list.at(at('/homework?page=3&limit=50&sort=asc&sort_field=waiting')).isFiltered).toBe(false);
    expect(list.at(at('/homework?name=%20')).isFiltered).toBe(false);
    expect(list.at(at('/homework?type=9')).isFiltered).toBe(false);
    expect(list.at(at('/homework?type=2')).isFiltered).toBe(true);
    expect(inClass.at(at('/classes/detail?id=3&tab=homework')).isFiltered).toBe(false);
  });

  it('leads to its other pages and orders with the filter, and back without it', () => {
    const shown = inClass.at(at('/classes/detail?id=3&tab=homework&name=%E5%87%BD&limit=50&page=4'));
    expect(shown.filter).toMatchObject({ name: '函', page: 4, limit: 50 });
    expect(shown.page(1)).toBe('/classes/detail?id=3&tab=homework&name=%E5%87%BD&limit=50');
    expect(shown.sorting?.href('waiting', 'asc')).toBe(
      '/classes/detail?id=3&tab=homework&name=%E5%87%BD&sort_field=waiting&sort=asc&limit=50',
    );
    expect(shown.reset).toBe('/classes/detail?id=3&tab=homework&limit=50');
    expect(shown.only({ type: 2 })).toBe('/classes/detail?id=3&tab=homework&type=2&limit=50');
    expect(shown.kept).toEqual([
      ['id', '3'],
      ['tab', 'homework'],
      ['limit', '50'],
    ]);
  });
});

describe('a field that shows more', () => {
  const classes = listScreen(
    screen('ClassManage', '/classes'),
    v.object({ name: SearchText, only_mine: UsuallyTicked }),
    {},
    ['only_mine'],
  );

  it('is ticked unless the address says no, and is no filter', () => {
    expect(classes.at(at('/classes')).filter.only_mine).toBe(true);
    const all = classes.at(at('/classes?only_mine=0'));
    expect([all.filter.only_mine, all.isFiltered, all.reset]).toEqual([false, false, '/classes']);
    expect(classes.at(at('/classes?only_mine=0&only_mine=1&name=%E5%87%BD')).here).toBe('/classes?name=%E5%87%BD');
    expect(classes.href({ only_mine: false })).toBe('/classes?only_mine=0');
  });
});

describe('what somebody is not offered', () => {
  it('is no filter of theirs', () => {
    const shown = list.at(at('/homework?name=%E5%87%BD&course_id=4&page=2')).without('course_id');
    expect([shown.filter.course_id, shown.filter.name, shown.here]).toEqual([
      undefined,
      '函',
      '/homework?name=%E5%87%BD&page=2',
    ]);
    expect(list.at(at('/homework?course_id=4')).without('course_id').isFiltered).toBe(false);
  });
});

describe('a list of a screen with several', () => {
  it('is always named', () => {
    expect(inClass.href({ id: 3, name: '函' })).toBe('/classes/detail?id=3&tab=homework&name=%E5%87%BD');
    expect(mine.at(at('/homework?page=2')).page(1)).toBe('/homework?tab=main');
  });

  it('is itself with a dialog over it', () => {
    const shown = mine.at(at('/homework/12/recall?tab=main&name=%E5%87%BD'));
    expect(shown.here).toBe('/homework?tab=main&name=%E5%87%BD');
  });
});

describe('a dialog', () => {
  const recall = dialog(':id/recall');
  const removal = dialog('questions/delete', { ids: SearchIds });

  it('stands over the list as it was, and closes to it', () => {
    const behind = list.href({ name: '函', page: 2 });
    expect(recall.href(behind, { id: 12 })).toBe('/homework/12/recall?name=%E5%87%BD&page=2');
    expect(recall.behind(at(recall.href(behind, { id: 12 })))).toBe(behind);
  });

  it('has its path below that of its screen', () => {
    expect(pathOver(list, recall)).toBe('/homework/:id/recall');
  });

  it('takes its own params away again', () => {
    const address = removal.href('/homework?tab=ques', { ids: [1, 2] });
    expect(address).toBe('/homework/questions/delete?tab=ques&ids=1,2');
    expect(removal.at(at(address))).toEqual({ ids: [1, 2] });
    expect(removal.behind(at(address))).toBe('/homework?tab=ques');
  });

  it('takes all that was chosen, in one param each or with commas between them', () => {
    const chosen = dialog('decide', { ids: SearchIds });
    expect(chosen.at(at('/leave/decide?ids=3&ids=5&ids=3&ids=x'))).toEqual({ ids: [3, 5] });
    expect(chosen.at(at(chosen.href('/leave', { ids: [3, 5] })))).toEqual({ ids: [3, 5] });
  });

  it('may miss the record that it is about', async () => {
    const one = dialog('periods', { course_id: Id }, { missing: '课程不存在' });
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
  const lesson = dialog('lesson', { period_id: Id, page: paging().page }, { aside: { page: 'lessons' } });
  const mark = dialog('mark', { uid: Id });
  const lessons = beneath(lesson, listScreen(screen('Course', '/course', { id: Id }), v.object({ ...paging() })));

  it('keeps the page behind it, and gives it back', () => {
    const address = lesson.href('/course?id=3&page=2', { period_id: 7, page: 4 });
    expect(address).toBe('/course/lesson?id=3&lessons=2&period_id=7&page=4');
    expect(lesson.at(at(address))).toEqual({ period_id: 7, page: 4 });
    expect(lesson.behind(at(address))).toBe('/course?id=3&page=2');
    expect(lesson.href('/course?id=3', { period_id: 7 })).toBe('/course/lesson?id=3&period_id=7');
  });

  it('leaves the list behind it where it was, also under a further dialog', () => {
    const address = lesson.href('/course?id=3&page=2', { period_id: 7, page: 4 });
    for (const shown of [address, mark.href(address, { uid: 9 })]) {
      expect(lessons.at(at(shown)).here).toBe('/course?id=3&page=2');
    }
    expect(lessons.at(at('/course?id=3&page=5')).filter.page).toBe(5);
    expect(mark.behind(at(mark.href(address, { uid: 9 })))).toBe(address);
  });
});
