import { readFileSync, readdirSync } from 'node:fs'; import { gzipSync } from 'node:zlib';
const s = readdirSync('build/server').filter(f=>f.endsWith('.js')).map(f=>readFileSync('build/server/'+f,'utf8')).join('\n');
const m = /"distribution-chart\.island"[\s\S]{0,6000}?"transcript-grid\.island"[\s\S]{0,2500}?\n\}/.exec(s)?.[0] ?? /islandFiles = (\{[\s\S]{0,9000}?\n\})/.exec(s)[1];
const files = new Function('return {' + m.replace(/^\{/, '').replace(/\}\s*$/, '') + '}')();
for (const [name, f] of Object.entries(files)) { let t=0; const parts=[]; for (const u of [f.script, ...f.modules]) { const g=gzipSync(readFileSync('build/client'+u)).length; t+=g; parts.push([g,u]); } let c=0; for (const u of f.styles) c+=gzipSync(readFileSync('build/client'+u)).length; console.log(name,'js',t,'css',c); for (const [g,u] of parts.sort((a,b)=>b[0]-a[0]).slice(0,8)) console.log('   ',g,u); }
