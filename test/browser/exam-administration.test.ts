/** An administrator composes an exam and publishes it, in a browser. */
import { expect } from 'vitest';
import { faultsInLightAndDark } from '../support/axe.ts';
import { it } from '../support/fixtures.ts';

it('an exam is composed, checked and published, and each of its screens is accessible', async ({ signedIn }) => {
  const page = await signedIn('admin', '/admin/exams');
  const accessible = async (what: string) => expect(await faultsInLightAndDark(page), what).toEqual([]);
  await page.getByRole('link', { name: '添加考试' }).first().click();
  await page.fill('#name', '浏览器里的考试');
  await page.fill('#pass_score', '3');
  await page.locator('input[name=school_ids]').first().check();
  await page.getByRole('button', { name: '保存，编辑试卷' }).click();
  await page.getByRole('button', { name: '添加部分' }).click();
  await accessible('adding a section');
  await page.fill('dialog #name', '一、选择题');
  await page.locator('dialog').getByRole('button', { name: '保存' }).click();

  await page.getByRole('button', { name: '从题库选题' }).click();
  await accessible('picking');
  await page.locator('input[name=pick]').first().check();
  await page.getByRole('button', { name: '下一页' }).click();
  await page.getByText('已选 1 题').waitFor();
  await page.locator('input[name=pick]').first().check();
  await page.getByRole('button', { name: '确定' }).click();
  await page.getByRole('heading', { name: '一、选择题 2题' }).waitFor();
  await accessible('the paper');

  await page.getByRole('button', { name: '从文件导入' }).click();
  await page.getByRole('heading', { name: '导入题目到试卷' }).waitFor();
  await accessible('the import');
  await page.getByRole('link', { name: '返回' }).click();
  await page.getByRole('button', { name: '手工添加' }).click();
  await page.getByRole('heading', { name: '添加题目' }).waitFor();
  await accessible('writing a question');
  await page.getByRole('link', { name: '返回' }).click();

  await page.getByRole('button', { name: '检查与发布' }).click();
  await page.getByText('第1、2题没有分值').waitFor();
  await accessible('the exam with faults');
  await page.getByRole('link', { name: '编辑试卷' }).click();
  await page.getByLabel('一、选择题每题分值').fill('2.5');
  await page.getByRole('button', { name: '设为每题分值：一、选择题' }).click();
  await page.getByText('总分 5.0，2题').waitFor();
  await page.getByRole('button', { name: '检查与发布' }).click();
  await page.getByText('试卷检查通过，可以发布。').waitFor();
  await page.getByRole('link', { name: '发布', exact: true }).click();
  await page
    .getByText(/1所学校，[\d,]+名学员/)
    .last()
    .waitFor();
  await accessible('publishing');
  await page.getByRole('button', { name: '确定发布' }).click();
  await page.getByRole('heading', { name: '浏览器里的考试 进行中' }).waitFor();
  await accessible('the published exam');
  await page.getByRole('link', { name: '查看试卷' }).click();
  await page.getByText('考试已发布，试卷不能修改').waitFor();
  expect(await page.locator('main button').count()).toBe(0);
});
