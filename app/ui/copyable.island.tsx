/** Puts a button 复制 beside each text of `Copyables`. Plain DOM: there is nothing here that needs a component. */
import './quick-keys.ts';

for (const input of document.querySelectorAll<HTMLInputElement>('input[data-copyable]')) {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = input.dataset.look ?? '';
  const say = (text: string) => {
    button.textContent = text;
    button.setAttribute('aria-label', `${text}：${input.dataset.copyable ?? ''}`);
  };
  say('复制');
  const said = document.createElement('span');
  said.className = 'visually-hidden';
  said.setAttribute('role', 'status');
  button.addEventListener('click', async () => {
    const isCopied = await copy(input);
    const outcome = isCopied ? '已复制' : '请手动复制';
    say(outcome);
    said.textContent = outcome;
    setTimeout(say, 2000, '复制');
  });
  input.parentElement?.after(button, said);
}

/** The clipboard is for pages that came by https; on others the marked text is copied the older way. */
async function copy(input: HTMLInputElement): Promise<boolean> {
  input.select();
  if (navigator.clipboard) {
    return navigator.clipboard.writeText(input.value).then(
      () => true,
      () => document.execCommand('copy'),
    );
  }
  return document.execCommand('copy');
}
