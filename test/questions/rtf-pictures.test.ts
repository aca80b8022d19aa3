import { expect, test } from 'vitest';
import { picturesOfRtf } from '#app/questions/rtf-pictures.ts';

const picture = (kind: string, hex: string) =>
  `{\\pict{\\*\\picprop\\shplid1025{\\sp{\\sn shapeType}{\\sv 75}}}\\picscalex100\\${kind}\\bliptag-12{\\*\\blipuid 00ff00ff}\n${hex}}`;
const twice = (kind: string, hex: string) =>
  `{\\*\\shppict${picture(kind, hex)}}{\\nonshppict${picture('wmetafile8', '0100')}}`;

async function read(rtf: string): Promise<(string | undefined)[]> {
  return Promise.all(
    picturesOfRtf(rtf).map(async ({ file }) => {
      if (!file) return undefined;
      return `${file.type} ${Buffer.from(await file.arrayBuffer()).toString('hex')}`;
    }),
  );
}

test('pictures of RTF are read in order, once each, whatever surrounds their bytes', async () => {
  const rtf = `{\\rtf1\\ansi 甲 ${twice('pngblip', '8950\n4e47')}\\par ${twice('jpegblip', 'FFD8ff')}}`;
  expect(await read(rtf)).toEqual(['image/png 89504e47', 'image/jpeg ffd8ff']);
});

test('pictures of RTF leave out those that the HTML does not have', async () => {
  const formula = `{\\mmath{\\*\\moMath{\\mr x}}{\\mmathPict${picture('pngblip', '01')}}}`;
  const others = `{\\header${picture('pngblip', '02')}}{\\*\\listpicture${picture('pngblip', '03')}}`;
  expect(await read(`{\\rtf1 ${others}${formula}${twice('pngblip', '04')}}`)).toEqual(['image/png 04']);
});

test('a drawing of Windows keeps its place among the pictures of RTF', async () => {
  const drawing = `{\\*\\shppict${picture('emfblip', '0100')}}`;
  expect(await read(`{\\rtf1 ${drawing}${twice('pngblip', '05')}}`)).toEqual([undefined, 'image/png 05']);
});

test('escaped braces and Chinese in RTF do not end a picture', async () => {
  expect(await read(`{\\rtf1 \\{\\'d6\\'d0\\u20013?\\}${twice('pngblip', '06')}}`)).toEqual(['image/png 06']);
});

test('text without RTF has no pictures', async () => {
  expect(await read('')).toEqual([]);
  expect(await read('}}{\\pict')).toEqual([]);
});
