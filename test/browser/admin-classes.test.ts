/** @module-tag thorough */
/** Administrators' class and lesson screens pass axe. */
import { expect } from 'vitest';
import { faultsInLightAndDark } from '../support/axe.ts';
import { type Demo, it } from '../support/fixtures.ts';

type Row = { id: number; class_type: number; students_count: number };

const screensOf = async (demo: Demo): Promise<string[]> => {
  const { list } = (await demo.ask('admin', 'classes?limit=100')) as { list: Row[] };
  const school = list.find(({ class_type }) => class_type === 0)?.id;
  const team = list.find(({ class_type, students_count }) => class_type === 3 && students_count > 0)?.id;
  const { list: lessons } = (await demo.ask('admin', 'lessons?status=2')) as { list: Row[] };
  const [lesson, other] = lessons.map(({ id }) => id);
  return [
    '/admin/classes',
    '/admin/classes/add',
    `/admin/classes/edit?id=${school}`,
    ...['particulars', 'staff', 'courses', 'groups', 'history'].map(
      (tab) => `/admin/classes/detail?id=${school}&tab=${tab}`,
    ),
    `/admin/classes/detail/groups/add?id=${school}&tab=groups`,
    `/admin/classes/detail/end?id=${school}`,
    `/admin/classes/detail?id=${team}`,
    `/admin/classes/detail?id=${team}&tab=contracts`,
    '/admin/classes/large',
    '/admin/group-classes',
    '/admin/group-classes/add',
    `/admin/group-classes/edit?id=${team}`,
    '/admin/lessons?status=2',
    `/admin/lessons/add?class_id=${team}`,
    `/admin/lessons/edit?id=${lesson}`,
    `/admin/lessons/cancel?pick=${lesson}&pick=${other}`,
    `/admin/lessons/move?pick=${lesson}&pick=${other}`,
  ];
};

it('screens of classes, group classes and lessons have no axe violations', { timeout: 900_000 }, async ({
  demo,
  signedIn,
}) => {
  const page = await signedIn('admin', '/admin/classes');
  const faults: string[] = [];
  for (const [place, address] of (await screensOf(demo)).entries()) {
    const answer = await page.goto(demo.base + address);
    if (answer?.status() !== 200) faults.push(`${address}: ${answer?.status()}`);
    faults.push(...(await faultsInLightAndDark(page)).map((fault) => `${address}: ${fault}`));
    if (!process.env.SHOTS) continue;
    for (const width of [390, 820, 1366]) {
      await page.setViewportSize({ width, height: 900 });
      await page.screenshot({
        path: `${process.env.SHOTS}/${String(place).padStart(2, '0')}-${width}.png`,
        fullPage: true,
      });
    }
  }
  expect(faults).toEqual([]);
});
