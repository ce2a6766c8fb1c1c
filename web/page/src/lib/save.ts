/* Pictures and tables as files. A saved picture stands alone: what styles gave it becomes attributes
   of its parts, so that it looks the same in any program. */

export function saveText(name: string, text: string, type = 'text/plain'): void {
  saveBlob(name, new Blob([text], { type: `${type};charset=utf-8` }));
}

export function saveBlob(name: string, blob: Blob): void {
  const address = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 10000);
}

/* A name that every file system takes. */
export function fileName(name: string, ending: string): string {
  const plain = name.toLowerCase().replace(/[^a-z0-9]+/g, '-').replace(/^-|-$/g, '');
  return `${plain || 'paravent'}.${ending}`;
}

/* ---- tables ---- */

export type Cell = string | number | boolean | null | undefined;

/* A cell that a spreadsheet would run as a formula gets a quote before it. */
function field(cell: Cell): string {
  if (cell === null || cell === undefined) return '';
  const text = String(cell);
  const safe = typeof cell === 'string' && /^[=+\-@\t\r]/.test(text) && !/^-?[\d.]+$/.test(text) ? `'${text}` : text;
  return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

export function csv(head: Cell[], rows: Cell[][]): string {
  return [head, ...rows].map((row) => row.map(field).join(',')).join('\r\n') + '\r\n';
}

export function saveCsv(name: string, head: Cell[], rows: Cell[][]): void {
  saveText(fileName(name, 'csv'), csv(head, rows), 'text/csv');
}

/* ---- pictures ---- */

const SHOWN = [
  'fill', 'fill-opacity', 'stroke', 'stroke-width', 'stroke-opacity', 'stroke-dasharray', 'stroke-linecap',
  'stroke-linejoin', 'opacity', 'font-family', 'font-size', 'font-weight', 'text-anchor', 'dominant-baseline',
  'visibility', 'display', 'paint-order',
];

function background(element: Element): string {
  for (let at: Element | null = element; at; at = at.parentElement) {
    const color = getComputedStyle(at).backgroundColor;
    if (color !== 'transparent' && !/, 0\)$|\/ 0\)$/.test(color)) return color;
  }
  return '#ffffff';
}

function copyLook(from: Element, to: Element): void {
  const look = getComputedStyle(from);
  for (const name of SHOWN) {
    const value = look.getPropertyValue(name);
    if (value) to.setAttribute(name, value);
  }
  to.removeAttribute('class');
  to.removeAttribute('style');
  for (let i = 0; i < from.children.length; i++) {
    copyLook(from.children[i] as Element, to.children[i] as Element);
  }
}

/* A canvas behind an svg becomes an image in it. */
function imageOf(canvas: HTMLCanvasElement, box: DOMRect): SVGElement {
  const at = canvas.getBoundingClientRect();
  const image = document.createElementNS('http://www.w3.org/2000/svg', 'image');
  image.setAttribute('x', String(at.left - box.left));
  image.setAttribute('y', String(at.top - box.top));
  image.setAttribute('width', String(at.width));
  image.setAttribute('height', String(at.height));
  image.setAttribute('href', canvas.toDataURL('image/png'));
  return image;
}

/* `behind`: canvases under it. */
export function svgText(svg: SVGSVGElement, title?: string, onPaper = true, behind: HTMLCanvasElement[] = []): string {
  const copy = svg.cloneNode(true) as SVGSVGElement;
  copyLook(svg, copy);
  const box = svg.getBoundingClientRect();
  copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
  copy.setAttribute('width', String(Math.round(box.width)));
  copy.setAttribute('height', String(Math.round(box.height)));
  if (!copy.hasAttribute('viewBox')) copy.setAttribute('viewBox', `0 0 ${box.width} ${box.height}`);
  const view = (copy.getAttribute('viewBox') ?? '').split(/[\s,]+/);
  const paper = document.createElementNS('http://www.w3.org/2000/svg', 'rect');
  paper.setAttribute('x', view[0] ?? '0');
  paper.setAttribute('y', view[1] ?? '0');
  paper.setAttribute('width', '100%');
  paper.setAttribute('height', '100%');
  paper.setAttribute('fill', background(svg));
  for (const canvas of behind) copy.prepend(imageOf(canvas, box));
  if (onPaper) copy.prepend(paper);
  if (title) {
    const words = document.createElementNS('http://www.w3.org/2000/svg', 'title');
    words.textContent = title;
    copy.prepend(words);
  }
  return new XMLSerializer().serializeToString(copy);
}

function loaded(address: string): Promise<HTMLImageElement> {
  return new Promise((resolve, reject) => {
    const image = new Image();
    image.onload = () => resolve(image);
    image.onerror = () => reject(new Error('the picture cannot be drawn'));
    image.src = address;
  });
}

function canvasBlob(canvas: HTMLCanvasElement): Promise<Blob> {
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('the picture cannot be saved'))), 'image/png');
  });
}

async function paint(element: Element, context: CanvasRenderingContext2D, at: DOMRect): Promise<void> {
  const box = element.getBoundingClientRect();
  const x = box.left - at.left;
  const y = box.top - at.top;
  if (element instanceof HTMLCanvasElement) {
    context.drawImage(element, x, y, box.width, box.height);
    return;
  }
  const address = URL.createObjectURL(new Blob([svgText(element as SVGSVGElement, undefined, false)], { type: 'image/svg+xml' }));
  try {
    context.drawImage(await loaded(address), x, y, box.width, box.height);
  } finally {
    URL.revokeObjectURL(address);
  }
}

/* Pictures of a figure: an svg, or a canvas with an svg of axes above it. */
export function picturesOf(figure: Element): (SVGSVGElement | HTMLCanvasElement)[] {
  const all = [...figure.querySelectorAll('svg:not([data-icon]), canvas')];
  return all.filter((one) => one.getBoundingClientRect().width > 40) as (SVGSVGElement | HTMLCanvasElement)[];
}

export function saveSvg(figure: Element, name: string): void {
  const pictures = picturesOf(figure);
  const svg = pictures.find((one) => one instanceof SVGSVGElement);
  const behind = pictures.filter((one) => one instanceof HTMLCanvasElement);
  if (svg instanceof SVGSVGElement) saveText(fileName(name, 'svg'), svgText(svg, name, true, behind), 'image/svg+xml');
}

export async function savePng(figure: Element, name: string): Promise<void> {
  const pictures = picturesOf(figure);
  if (pictures.length === 0) return;
  const boxes = pictures.map((one) => one.getBoundingClientRect());
  const left = Math.min(...boxes.map((box) => box.left));
  const top = Math.min(...boxes.map((box) => box.top));
  const right = Math.max(...boxes.map((box) => box.right));
  const bottom = Math.max(...boxes.map((box) => box.bottom));
  const canvas = document.createElement('canvas');
  const scale = 2;
  canvas.width = Math.ceil((right - left) * scale);
  canvas.height = Math.ceil((bottom - top) * scale);
  const context = canvas.getContext('2d');
  if (!context) return;
  context.scale(scale, scale);
  context.fillStyle = background(figure);
  context.fillRect(0, 0, right - left, bottom - top);
  const canvasesFirst = [...pictures].sort((a, b) => Number(a instanceof SVGSVGElement) - Number(b instanceof SVGSVGElement));
  for (const picture of canvasesFirst) await paint(picture, context, new DOMRect(left, top, right - left, bottom - top));
  saveBlob(fileName(name, 'png'), await canvasBlob(canvas));
}
