import { createHash } from 'node:crypto';
import { page } from '../page.ts';

const styles = `
body{min-height:100vh;display:grid;grid-template:auto 1fr/minmax(280px,360px) 1fr;background:var(--canvas)}
header{grid-column:1/-1;display:flex;flex-wrap:wrap;gap:8px 16px;align-items:center;padding:10px 16px;border-bottom:1px solid var(--line)}
header h1{font-size:16px;line-height:24px}header .mark{margin:0}header label{margin-left:auto;display:flex;gap:8px;align-items:center;color:var(--ink-3);font-size:12px}
header input{min-height:32px;min-width:0;width:220px;padding:0 10px;border:1px solid var(--control);border-radius:6px;background:var(--canvas);color:var(--ink);font:inherit}
header button{min-height:32px;padding:0 12px}
nav{border-right:1px solid var(--line);overflow:auto}nav ol{list-style:none;margin:0;padding:0}
nav a{display:block;padding:10px 16px;border-bottom:1px solid var(--line);color:inherit;text-decoration:none;overflow-wrap:anywhere}
nav a:hover{background:var(--hover)}nav a[aria-current]{background:var(--hover);box-shadow:inset 3px 0 var(--accent)}
nav strong,nav small{display:block}nav small{color:var(--ink-3);font-size:12px;line-height:16px}
article{padding:24px 32px;min-width:0;display:flex;flex-direction:column;gap:16px}article p{margin:0;overflow-wrap:anywhere}
.empty{margin:64px auto;text-align:center;color:var(--ink-3)}
.parts{display:flex;gap:8px}.parts button[aria-pressed=true]{border-color:var(--accent);color:var(--accent)}.parts button{min-height:32px;padding:0 12px}
iframe{flex:1;min-height:420px;width:100%;border:1px solid var(--line);border-radius:8px;background:#fff}
pre{margin:0;white-space:pre-wrap;overflow-wrap:anywhere;font:13px/20px ui-monospace,monospace}.back{display:none}
@media(max-width:760px){body{display:block}header label{margin:0;width:100%}header input{flex:1}nav{border:0}article{padding:16px}
body.reading nav{display:none}body:not(.reading) article{display:none}.back{display:inline-flex;min-height:44px;align-items:center}}`;

// Plain browser code: builds the page out of text nodes, so that nothing a mail says is taken for markup. The HTML part
// lives in a frame without scripts and without this page's origin; its links open in a new window.
const script = `
const list=document.querySelector('ol'),article=document.querySelector('article'),filter=document.querySelector('input');
let shown='',wantsText=false,known='';
const make=(tag,text,more={})=>Object.assign(document.createElement(tag),{textContent:text},more);
const open=()=>decodeURIComponent(location.hash.slice(2));
async function refresh(){
  try{
    const answer=await fetch('/api/messages?to='+encodeURIComponent(filter.value.trim()));
    const {messages}=await answer.json();
    const state=JSON.stringify(messages.map(m=>m.id))+open();
    if(state!==known){known=state;drawList(messages)}
  }catch{}
}
function drawList(messages){
  document.title='Mail ('+messages.length+')';
  list.replaceChildren(...messages.map(m=>{
    const link=make('a','',{href:'#/'+m.id});
    if(m.id===open())link.setAttribute('aria-current','true');
    link.append(make('strong',m.subject||'(no subject)'),make('small',m.to.join(', ')),make('small',new Date(m.at).toLocaleString()));
    const item=make('li','');item.append(link);return item}));
  if(!messages.length)list.append(make('li','No mail yet. New mail appears here automatically.',{className:'empty'}));
}
async function read(){
  const id=open();document.body.classList.toggle('reading',id!=='');
  if(id===shown&&id!=='')return;shown=id;
  if(!id){article.replaceChildren(make('p','Choose a message.',{className:'empty'}));return}
  const answer=await fetch('/api/messages/'+encodeURIComponent(id));
  if(!answer.ok){article.replaceChildren(make('p','This message no longer exists.',{className:'empty'}));return}
  draw(await answer.json());
}
function draw(m){
  const parts=make('div','',{className:'parts'});
  const isText=wantsText||!m.html;
  for(const [name,text] of [['HTML',false],['Text',true]]){
    const button=make('button',name,{disabled:!(text?m.text:m.html),onclick:()=>{wantsText=text;draw(m)}});
    button.setAttribute('aria-pressed',String(text===isText));parts.append(button)}
  const body=isText?linked(m.text):make('iframe','',{title:'Message',srcdoc:'<base target="_blank">'+m.html});
  if(!isText)body.setAttribute('sandbox','allow-popups allow-popups-to-escape-sandbox');
  article.replaceChildren(make('a','All messages',{href:'#/',className:'back'}),make('h1',m.subject||'(no subject)'),
    make('p','From '+m.from+' to '+m.to.join(', ')+', '+new Date(m.at).toLocaleString()),parts,body);
}
function linked(text){
  const pre=make('pre','');
  for(const piece of text.split(/(https?:\\/\\/[^\\s<>"]+)/))
    pre.append(/^https?:/.test(piece)?make('a',piece,{href:piece,target:'_blank',rel:'noreferrer'}):piece);
  return pre;
}
addEventListener('hashchange',()=>{read();refresh()});filter.addEventListener('input',refresh);
document.querySelector('#empty').addEventListener('click',async()=>{await fetch('/api/messages',{method:'DELETE'});location.hash='#/';refresh()});
read();refresh();setInterval(refresh,2000);`;

/** For the Content-Security-Policy: allows only this script. */
export const inboxScriptPolicy = `'sha256-${createHash('sha256').update(script).digest('base64')}'`;

export function inboxPage(): string {
  return page(
    'Mail',
    `<header><h1>Mail</h1><span class="mark">Mail is not delivered</span>
<label>To <input type="search" placeholder="name@example.com"></label><button id="empty">Empty the inbox</button></header>
<nav aria-label="Messages"><ol></ol></nav><article aria-live="polite"></article><script>${script}</script>`,
    styles,
  );
}
