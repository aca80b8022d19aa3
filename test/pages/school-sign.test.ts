import { describe, expect } from 'vitest';
import { storeSetting } from '#server/school/settings.ts';
import { it } from '../support/school-fixtures.ts';

/** A PNG of one pixel. */
const picture = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

describe('name and logo on the pages', () => {
  it("are the product's by default", async ({ app, teacher }) => {
    for (const page of [await app.visitor().get('/login'), await teacher.get('/')]) {
      expect(page.document.querySelector('h1, header a[href="/"]')?.textContent).toContain('教学后台');
      expect(page.html).not.toContain('/logo?');
    }
    expect((await app.visitor().get('/logo')).status).toBe(404);
  });

  it("are the school's in the header and at sign-in", async ({ school, app, teacher }) => {
    const { db } = school.database;
    await storeSetting(db, 'school_name', '明德中学 <b>');
    await storeSetting(db, 'school_logo', picture);
    const signIn = await app.visitor().get('/login');
    expect(signIn.document.querySelector('h1')?.textContent).toBe('明德中学 <b>');
    const page = await teacher.get('/');
    const brand = page.document.querySelector('header a[href="/"]');
    expect(brand?.textContent).toBe('明德中学 <b>');
    const address = brand?.querySelector('img')?.getAttribute('src') ?? '';
    expect(address).toMatch(/^\/logo\?[\da-f]{8}$/);
    expect(signIn.document.querySelector('h1 img')?.getAttribute('src')).toBe(address);
    const logo = await app.visitor().get(address);
    expect([logo.status, logo.headers.get('content-type')]).toEqual([200, 'image/png']);
    expect(logo.headers.get('cache-control')).toContain('immutable');
    // A new picture gets a new address.
    await storeSetting(db, 'school_logo', picture.replace('WjR9', 'WjR8'));
    expect((await teacher.get('/')).html).not.toContain(address);
  });

  it('come with a total of pending work in the navigation', async ({ school, assist }) => {
    const { addHomework, submit, classes, students } = school;
    const homework = await addHomework({ name: '待批改', creator: 'teacher', classes: [classes.k2] });
    await submit(homework, students.k2[0] as number);
    const page = await assist.get('/homework');
    const [first] = page.document.querySelectorAll('header nav a');
    expect(first?.textContent).toMatch(/^工作台\d+项待办$/);
    expect(page.document.querySelector('header summary')?.textContent).toBe(
      first?.textContent?.replace('工作台', '菜单'),
    );
  });
});
