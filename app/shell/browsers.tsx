import { Button } from '@mantine/core';
import { Screen } from '../ui/screen.tsx';
import styles from './browsers.module.css';
import { home } from './screens.ts';
import { titleMeta } from './title.ts';

export const meta = () => titleMeta('浏览器');

/** Page with plain text and no frame, for browsers that can show nothing else. */
export default function Browsers() {
  return (
    <Screen className={styles.page}>
      <h1>需要哪种浏览器</h1>
      <p>以下浏览器可以使用全部功能，均可在 Windows 7 上安装：</p>
      <ul>
        <li>Chrome 109 或更新的版本</li>
        <li>Edge 109 或更新的版本</li>
        <li>360、QQ、搜狗等双核浏览器：使用“极速模式”，内核为 Chromium 109 或更新的版本</li>
      </ul>
      <p>
        内核为 Chromium 86 至 104
        的浏览器可以查看、筛选和填写全部表单，包括布置和批改作业，但不能在图片上批注，没有快捷键，图表只有表格。105 至
        108 未经测试。
      </p>
      <p>
        <Button component="a" href={home.href()} variant="default">
          返回首页
        </Button>
      </p>
    </Screen>
  );
}
