/** Page with all keyboard shortcuts, by screen. */
import { toolLetters } from '../grading/board/use-board-keys.ts';
import { keyList } from '../grading/desk/keys.ts';
import { titleMeta } from '../shell/title.ts';
import { Screen } from '../ui/screen.tsx';
import type { Route } from './+types/shortcuts';
import styles from './shortcuts.posts.module.css';

export const meta: Route.MetaFunction = () => titleMeta('快捷键');

const letter = toolLetters;

const parts: { where: string; keys: [keys: string, meaning: string][] }[] = [
  {
    where: '所有页面',
    keys: [
      ['Tab', '到下一个链接、按钮或输入框；页面上第一个是“跳到主要内容”'],
      ['Enter', '打开链接，或提交所在的表单'],
      ['空格', '勾选，或按下按钮'],
      ['Esc', '关闭弹窗（也可点弹窗外面或“✕”），收起展开的菜单或“更多筛选”（也可点别处）'],
      ['/ 或 Ctrl + K', '到搜索框'],
      ['?', '在新窗口打开本页'],
    ],
  },
  { where: '批改作业、批改试卷（按分数）', keys: keyList(false) },
  { where: '批改作业（按正确率）', keys: keyList(true) },
  {
    where: '图片批注',
    keys: [
      [`${letter.rect} ${letter.ellipse} ${letter.arrow} ${letter.line}`, '矩形、椭圆、箭头、画笔'],
      [`${letter.right} ${letter.wrong} ${letter.half} ${letter.text}`, '对、错、半对、文字'],
      ['Ctrl + Enter', '保存批注并关闭'],
      ['Ctrl + Z', '撤销（Ctrl + Y 或 Ctrl + Shift + Z 重做）'],
      ['Delete', '删除选中的批注'],
      ['+ − 0', '放大、缩小、适合窗口'],
      ['Esc', '离开批注'],
    ],
  },
  {
    where: '添加、编辑题目',
    keys: [
      ['Ctrl + Enter', '保存'],
      ['Alt + =', '插入公式；光标在公式上时是修改（也可按 Enter，或双击公式）'],
      ['$$…$$', '两对美元符号之间的 LaTeX 成为公式'],
      ['Shift + Tab', '从文字到上方的工具栏，如“插入图片”；在选中的图片上按 Enter 是旋转和裁剪'],
      ['Ctrl + B', '加粗（Ctrl + I 斜体，Ctrl + U 下划线，Ctrl + , 下标，Ctrl + . 上标）'],
      ['Shift + Enter', '换行而不分段'],
    ],
  },
  {
    where: '输入公式',
    keys: [
      ['Enter', '插入公式（Shift + Enter 换行）'],
      ['Esc', '收起，写了一半的公式下次还在'],
      ['Tab', '把 1/2 变成分数，否则到下一个 □ 或括号外'],
      ['//', '分数，sqrt 是根号'],
      ['>= <= != +- -> =>', '≥ ≤ ≠ ± → ⇒'],
      ['alpha 空格', 'α，其他希腊字母和 sin、lim、sum、int 也按名称'],
      ['\\', '查找命令，↑ ↓ 选择，Tab 填入'],
    ],
  },
  {
    where: '点名',
    keys: [
      ['← →', '在一名学员的各个状态间选择'],
      ['Tab', '到下一名学员'],
      ['Enter', '保存'],
    ],
  },
];

/** The list is loaded on the server, so that the browser need not load the code of the grading desk. */
export const loader = () => ({ parts });

export default function Shortcuts({ loaderData: { parts } }: Route.ComponentProps) {
  return (
    <Screen card>
      <h1>快捷键</h1>
      {parts.map(({ where, keys }) => (
        <section key={where} className={styles.part} aria-label={where}>
          <h2>{where}</h2>
          <dl>
            {keys.map(([key, meaning]) => (
              <div key={key}>
                <dt>
                  <kbd>{key}</kbd>
                </dt>
                <dd>{meaning}</dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </Screen>
  );
}
