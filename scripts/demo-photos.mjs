// `node scripts/demo-photos.mjs`: draws the demo photos in fixtures/demo: scenes of a holiday park
// with the light, weather and flaws of phone photos. Each scene has two views, and is the same each
// time except for the grain.
import { join } from 'node:path';
import sharp from 'sharp';
import { root } from './run.mjs';

const [W, H] = [1280, 960];
let seed = 1;
const random = () => {
  seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
  return seed / 2 ** 32;
};
const between = (a, b) => a + (b - a) * random();
const repeatDrawing = (n, f) => Array.from({ length: n }, (_, i) => f(i)).join('');
const createSvg = (defs, body) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${W}" height="${H}" viewBox="0 0 ${W} ${H}"><defs>${defs}</defs>${body}</svg>`;
const createTexture = (id, f, octaves, dark, light, s = 1) =>
  `<filter id="${id}" x="0" y="0" width="100%" height="100%"><feTurbulence type="fractalNoise" baseFrequency="${f}" numOctaves="${octaves}" seed="${s}"/><feColorMatrix type="matrix" values="${[0, 1, 2].map((c) => `${light[c] - dark[c]} 0 0 0 ${dark[c]}`).join(' ')} 0 0 0 0 1"/><feComposite operator="in" in2="SourceGraphic"/></filter>`;
const createGradient = (id, a, b, m) =>
  `<linearGradient id="${id}" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="${a}"/>${m ? `<stop offset=".5" stop-color="${m}"/>` : ''}<stop offset="1" stop-color="${b}"/></linearGradient>`;
const drawSky = (hazy) =>
  `<rect width="${W}" height="430" fill="url(#sky)"/>${repeatDrawing(hazy ? 9 : 5, () => `<ellipse cx="${between(0, W)}" cy="${between(30, 230)}" rx="${between(90, 260)}" ry="${between(18, 50)}" fill="#fff" opacity="${between(0.15, 0.5)}" filter="url(#soft)"/>`)}`;
const softFilter = `<filter id="soft" x="-50%" y="-50%" width="200%" height="200%"><feGaussianBlur stdDeviation="22"/></filter><filter id="little" x="-20%" y="-20%" width="140%" height="140%"><feGaussianBlur stdDeviation="5"/></filter>`;
const drawHills = () =>
  `<path d="M0 400 Q 180 270 340 350 T 700 300 T 1000 350 T 1280 280 V 460 H 0 Z" fill="#6d8593" opacity=".8"/><path d="M0 420 Q 240 330 480 395 T 940 370 T 1280 380 V 470 H 0 Z" fill="#55714f"/>`;
const drawCaravan = (x, y, s, colour = '#e6e2d3') =>
  `<g transform="translate(${x} ${y}) scale(${s})"><rect x="-6" y="118" width="372" height="16" fill="#4d4a44" opacity=".6"/><rect width="360" height="122" rx="8" fill="${colour}"/><rect width="360" height="20" rx="6" fill="#8f9a8c"/>${repeatDrawing(5, (i) => `<rect x="0" y="${34 + i * 18}" width="360" height="2" fill="#000" opacity=".07"/>`)}<rect x="22" y="38" width="70" height="46" fill="#39505c"/><rect x="26" y="42" width="30" height="38" fill="#5f7e8d"/><rect x="130" y="32" width="42" height="88" fill="#c9c4b3"/><rect x="137" y="38" width="28" height="36" fill="#46606d"/><rect x="205" y="38" width="60" height="46" fill="#3b5562"/><rect x="285" y="38" width="52" height="46" fill="#415b67"/><rect x="124" y="120" width="54" height="10" fill="#777"/></g>`;

const scenes = {
  'pool-edge': (v) =>
    createSvg(
      softFilter +
        createGradient('water', '#1d87a8', '#4fc3d4', '#2fa6c2') +
        createTexture('caustic', '0.012 0.03', 3, [0.1, 0.55, 0.68], [0.62, 0.95, 0.97], 3 + v) +
        createTexture('tile', '0.9', 2, [0.62, 0.6, 0.56], [0.82, 0.8, 0.76], 7 + v) +
        createGradient('wet', '#fff', '#bfe3ea'),
      `<rect width="${W}" height="${H}" fill="#b9b5aa"/><g transform="rotate(${v ? -4 : 3} 640 480)">
    <rect x="-80" y="-80" width="1440" height="560" fill="url(#water)"/><rect x="-80" y="-80" width="1440" height="560" filter="url(#caustic)" opacity=".55"/>
    ${repeatDrawing(9, (i) => `<path d="M${-80} ${-20 + i * 56} H 1360" stroke="#0f6c86" stroke-width="${1 + i * 0.4}" opacity=".22"/>`)}${repeatDrawing(16, (i) => `<path d="M${-40 + i * 90} -80 L ${-260 + i * 122} 480" stroke="#0f6c86" stroke-width="2" opacity=".16"/>`)}
    <rect x="-80" y="455" width="1440" height="28" fill="#0d5d73"/>${repeatDrawing(48, (i) => `<rect x="${-80 + i * 30}" y="457" width="28" height="24" fill="${i % 2 ? '#12718c' : '#0e6480'}"/>`)}
    <rect x="-80" y="483" width="1440" height="92" fill="#d8d2c3"/><rect x="-80" y="483" width="1440" height="92" filter="url(#tile)" opacity=".6"/>${repeatDrawing(10, (i) => `<rect x="${-80 + i * 150}" y="483" width="3" height="92" fill="#6f6a60"/>`)}<rect x="-80" y="573" width="1440" height="7" fill="#7d776b"/>
    <rect x="-80" y="580" width="1440" height="480" fill="#c3bba9"/>${repeatDrawing(6, (r) => repeatDrawing(14, (i) => `<rect x="${-120 + i * 112 + (r % 2) * 56}" y="${582 + r * 70}" width="109" height="67" fill="hsl(${between(32, 42)} ${between(12, 22)}% ${between(62, 74)}%)"/>`))}<rect x="-80" y="580" width="1440" height="480" filter="url(#tile)" opacity=".35"/>
    <path d="M${250 + v * 200} 600 q 140 -30 320 12 q 240 30 190 130 q -60 110 -290 90 q -270 -10 -300 -90 q -30 -90 80 -142z" fill="#6f8d90" opacity=".5"/><path d="M${300 + v * 200} 640 q 130 -20 260 6 q 150 26 90 70 q -120 40 -250 20 q -150 -30 -100 -96z" fill="#eef8f8" opacity=".42" filter="url(#little)"/>
    ${repeatDrawing(26, () => `<ellipse cx="${between(200, 1000)}" cy="${between(600, 900)}" rx="${between(3, 14)}" ry="${between(2, 7)}" fill="#5f7d82" opacity=".5"/>`)}
    <g stroke="#8e979b" fill="none" stroke-linecap="round"><path d="M${930 - v * 700} 620 V 330 q 0 -60 60 -60 q 55 0 55 60 V 440" stroke-width="24"/><path d="M${930 - v * 700} 620 V 330 q 0 -60 60 -60 q 55 0 55 60 V 440" stroke="#eef2f3" stroke-width="7"/></g><ellipse cx="${930 - v * 700}" cy="624" rx="28" ry="10" fill="#767d80"/>
    <rect x="560" y="502" width="120" height="52" fill="#fff"/><text x="620" y="542" font-family="Arial" font-weight="bold" font-size="42" text-anchor="middle" fill="#123a6b">1.2m</text></g>`,
    ),
  'play-area': (v) =>
    createSvg(
      softFilter +
        createGradient('sky', '#7fb3de', '#e3eef4') +
        createGradient('slide', '#e2412f', '#a02217') +
        createTexture('grass', '0.35 0.7', 4, [0.2, 0.36, 0.13], [0.45, 0.6, 0.24], 4) +
        createTexture('bark', '0.16 0.3', 4, [0.26, 0.16, 0.09], [0.62, 0.44, 0.29], 9 + v) +
        createTexture('hedge', '0.08 0.1', 4, [0.1, 0.22, 0.08], [0.34, 0.48, 0.2], 2) +
        createGradient('pole', '#c9a26b', '#8a683c'),
      `${drawSky(v)}${drawHills()}${drawCaravan(40, 350, 0.75)}${drawCaravan(930, 340, 0.9, '#dfe5de')}<rect y="430" width="${W}" height="70" fill="#2f4a22"/><rect y="428" width="${W}" height="72" filter="url(#hedge)"/>
    <rect y="496" width="${W}" height="464" fill="#557a35"/><rect y="496" width="${W}" height="464" filter="url(#grass)"/>
    <path d="M-40 640 Q 640 540 1320 640 V 1000 H -40Z" fill="#6b4a2f"/><path d="M-40 640 Q 640 540 1320 640 V 1000 H -40Z" filter="url(#bark)"/><path d="M-40 640 Q 640 540 1320 640 v 16 Q 640 556 -40 656z" fill="#8a683c"/>
    <ellipse cx="620" cy="800" rx="430" ry="50" fill="#000" opacity=".3" filter="url(#little)"/>
    <g transform="translate(${v ? 60 : 0} 0)">
    <rect x="330" y="270" width="26" height="530" fill="url(#pole)"/><rect x="560" y="270" width="26" height="520" fill="url(#pole)"/><rect x="390" y="250" width="20" height="500" fill="#7b5b33"/><rect x="610" y="250" width="20" height="490" fill="#7b5b33"/>
    <polygon points="300,290 470,190 640,290" fill="#2c6e49"/><polygon points="470,190 640,290 690,268 520,172" fill="#1f5237"/><rect x="326" y="500" width="262" height="20" fill="#a27b47"/><rect x="330" y="430" width="256" height="12" fill="#c9a26b"/>
    ${repeatDrawing(7, (i) => `<rect x="${345 + i * 34}" y="440" width="8" height="62" fill="#b8915a"/>`)}
    ${repeatDrawing(6, (i) => `<path d="M336 ${550 + i * 40} H 240" stroke="#3867b8" stroke-width="12" stroke-linecap="round"/>`)}<path d="M232 800 L 262 500" stroke="#a27b47" stroke-width="16"/>
    <path d="M588 512 Q 760 540 830 720 Q 850 775 930 782" fill="none" stroke="url(#slide)" stroke-width="58"/><path d="M588 494 Q 770 524 842 708 Q 862 760 930 764" fill="none" stroke="#ff8d79" stroke-width="8" opacity=".8"/></g>
    <g stroke="#5a6a70" stroke-width="16" stroke-linecap="round" fill="none"><path d="M990 790 L 1050 300 L 1110 780"/><path d="M1050 300 H 1270"/></g><g stroke="#333" stroke-width="3" fill="none"><path d="M1120 306 L 1106 650 M1180 306 L 1166 650"/></g><rect x="1094" y="648" width="84" height="14" rx="4" fill="#1d1d1d"/>
    <rect x="110" y="560" width="130" height="90" fill="#fff"/><rect x="110" y="560" width="130" height="24" fill="#1b6e45"/><rect x="124" y="596" width="96" height="6" fill="#888"/><rect x="124" y="612" width="80" height="6" fill="#888"/><rect x="124" y="628" width="90" height="6" fill="#888"/><rect x="168" y="650" width="12" height="90" fill="#6a6a6a"/>`,
    ),
  'gas-locker': (v) =>
    createSvg(
      softFilter +
        createGradient('wall', '#ece7d9', '#cfc8b6') +
        createGradient('in', '#2b2c2d', '#4a4a48') +
        `<linearGradient id="bottle" x1="0" x2="1"><stop offset="0" stop-color="#7d1d15"/><stop offset=".3" stop-color="#d8402f"/><stop offset=".45" stop-color="#f07d68"/><stop offset="1" stop-color="#6b150f"/></linearGradient>` +
        createTexture('gravel', '0.09 0.14', 4, [0.36, 0.34, 0.31], [0.82, 0.79, 0.73], 5 + v) +
        createTexture('dirt', '0.008 0.05', 4, [0.7, 0.68, 0.6], [1, 1, 0.97], 12),
      `<rect width="${W}" height="760" fill="url(#wall)"/>${repeatDrawing(11, (i) => `<rect y="${i * 68}" width="${W}" height="5" fill="#000" opacity=".12"/><rect y="${i * 68 + 5}" width="${W}" height="3" fill="#fff" opacity=".5"/>`)}<rect width="${W}" height="760" filter="url(#dirt)" opacity=".25"/>
    <rect y="735" width="${W}" height="30" fill="#5c5a55"/><rect y="760" width="${W}" height="200" fill="#9b968b"/><rect y="760" width="${W}" height="200" filter="url(#gravel)"/><rect y="756" width="${W}" height="50" fill="#000" opacity=".25" filter="url(#little)"/>
    <g transform="translate(${v ? 120 : 0} 0)"><rect x="330" y="150" width="560" height="640" fill="url(#in)"/><rect x="330" y="150" width="560" height="640" fill="none" stroke="#a8a294" stroke-width="16"/>
    ${[430, 650].map((x) => `<ellipse cx="${x + 75}" cy="786" rx="100" ry="16" fill="#000" opacity=".6"/><rect x="${x}" y="380" width="150" height="400" rx="46" fill="url(#bottle)"/><rect x="${x + 38}" y="340" width="74" height="50" rx="14" fill="#8b231a"/><rect x="${x + 58}" y="300" width="34" height="46" fill="#b08b3a"/><rect x="${x + 40}" y="292" width="70" height="18" rx="8" fill="#6d7378"/><rect x="${x + 20}" y="520" width="110" height="90" fill="#f4efe2" opacity=".9"/><text x="${x + 75}" y="558" font-family="Arial" font-weight="bold" font-size="21" text-anchor="middle" fill="#7d1d15">PROPANE</text><text x="${x + 75}" y="592" font-family="Arial" font-size="22" text-anchor="middle" fill="#333">47 kg</text>`).join('')}
    <path d="M505 300 Q 520 220 600 230 Q 700 236 724 300" fill="none" stroke="#d9791f" stroke-width="13"/><rect x="576" y="200" width="70" height="54" rx="10" fill="#7f868a"/><circle cx="611" cy="226" r="16" fill="#cfd4d6"/><path d="M640 218 Q 780 190 850 168" fill="none" stroke="#a55b2a" stroke-width="9"/>
    <path d="M346 600 H 874" stroke="#8f8f8f" stroke-width="7" stroke-dasharray="16 6"/>
    <polygon points="890,150 1130,110 1130,840 890,790" fill="#ddd6c4"/><polygon points="890,150 1130,110 1130,840 890,790" fill="none" stroke="#a8a294" stroke-width="8"/><polygon points="960,300 1070,288 1070,400 960,406" fill="#f6c700"/><polygon points="1015,305 1056,385 974,388" fill="none" stroke="#111" stroke-width="8"/><text x="1014" y="376" font-family="Arial" font-weight="bold" font-size="44" text-anchor="middle" fill="#111">!</text></g>
    <path d="M60 900 q 30 -60 50 -140 M90 905 q 10 -60 -10 -130 M130 900 q -10 -50 30 -110" stroke="#58793a" stroke-width="7" fill="none"/>`,
    ),
  'wet-path': (v) =>
    createSvg(
      softFilter +
        createGradient('sky', '#9fb0bb', '#dbe2e4') +
        createTexture('grass', '0.3 0.6', 4, [0.17, 0.31, 0.12], [0.4, 0.52, 0.23], 6) +
        createTexture('tar', '0.5 0.7', 3, [0.2, 0.21, 0.22], [0.47, 0.47, 0.47], 8 + v) +
        createGradient('shine', '#e8eef0', '#9fb0b6'),
      `${drawSky(true)}${drawHills()}${drawCaravan(-40, 330, 1)}${drawCaravan(380, 345, 0.7, '#dbe1d6')}${drawCaravan(860, 325, 1.05)}
    <rect y="440" width="${W}" height="520" fill="#47682d"/><rect y="440" width="${W}" height="520" filter="url(#grass)"/>
    <polygon points="600,446 690,446 1120,960 60,960" fill="#4b4d4f"/><polygon points="600,446 690,446 1120,960 60,960" filter="url(#tar)"/>
    <polygon points="600,446 594,446 30,960 80,960" fill="#a8a59c"/><polygon points="690,446 696,446 1152,960 1104,960" fill="#a8a59c"/>
    <path d="M${470 + v * 120} 700 q 90 -40 240 -14 q 160 26 130 86 q -40 84 -220 96 q -220 8 -250 -60 q -20 -60 100 -108z" fill="url(#shine)" opacity=".75"/><path d="M${500 + v * 120} 740 q 80 -22 180 -6 q 90 16 60 46 q -70 36 -160 24 q -110 -14 -80 -64z" fill="#6f8791" opacity=".6" filter="url(#little)"/>
    <path d="M610 560 q 60 -12 100 6 q 20 18 -40 26 q -80 8 -60 -32z" fill="#cdd8dc" opacity=".7"/>
    ${v ? `<path d="M-10 800 Q 300 720 520 800 T 900 760 T 1300 820" fill="none" stroke="#2a7d3c" stroke-width="22"/><path d="M-10 795 Q 300 715 520 795 T 900 755 T 1300 815" fill="none" stroke="#76c786" stroke-width="5"/>` : `<g><ellipse cx="830" cy="842" rx="86" ry="16" fill="#000" opacity=".35"/><polygon points="830,600 900,840 760,840" fill="#f2c500"/><polygon points="830,600 852,676 808,676" fill="#d6ab00"/><text x="830" y="760" font-family="Arial" font-weight="bold" font-size="26" text-anchor="middle" fill="#111">WET</text><text x="830" y="796" font-family="Arial" font-weight="bold" font-size="22" text-anchor="middle" fill="#111">FLOOR</text></g>`}
    <g stroke="#3f4547" stroke-width="12" fill="none"><path d="M1020 640 V 300 q 0 -36 -46 -36"/></g><ellipse cx="968" cy="270" rx="30" ry="12" fill="#e9e5cf"/>
    ${repeatDrawing(240, () => {
      const x = between(0, W),
        y = between(0, H),
        l = between(14, 34);
      return `<path d="M${x} ${y} l -4 ${l}" stroke="#fff" stroke-width="1.4" opacity="${between(0.08, 0.3)}"/>`;
    })}`,
    ),
  'caravan-steps': (v) =>
    createSvg(
      softFilter +
        createGradient('wall', '#dfe4da', '#bfc7b9') +
        createTexture('wood', '0.01 0.25', 3, [0.36, 0.25, 0.15], [0.66, 0.5, 0.33], 3) +
        createTexture('gravel', '0.09 0.14', 4, [0.4, 0.38, 0.34], [0.84, 0.81, 0.75], 15 + v) +
        createGradient('door', '#f3f1ea', '#d8d4c8'),
      `<rect width="${W}" height="${H}" fill="url(#wall)"/>${repeatDrawing(10, (i) => `<rect y="${i * 74}" width="${W}" height="5" fill="#000" opacity=".13"/>`)}<rect y="700" width="${W}" height="260" fill="#9b968b"/><rect y="700" width="${W}" height="260" filter="url(#gravel)"/><rect y="620" width="${W}" height="84" fill="#514e48"/>
    <rect x="480" y="-40" width="330" height="560" fill="#8b8f86"/><rect x="500" y="-20" width="290" height="520" fill="url(#door)"/><rect x="560" y="30" width="170" height="220" fill="#3d5662"/><polygon points="560,250 650,30 730,30 730,60 640,250" fill="#587887" opacity=".7"/><rect x="748" y="300" width="20" height="70" rx="8" fill="#6d7378"/>
    ${[0, 1, 2].map((i) => `<g><rect x="${430 - i * 50}" y="${520 + i * 100}" width="${430 + i * 100}" height="34" fill="#7d5a36"/><rect x="${430 - i * 50}" y="${520 + i * 100}" width="${430 + i * 100}" height="34" filter="url(#wood)"/><rect x="${440 - i * 50}" y="${554 + i * 100}" width="${410 + i * 100}" height="66" fill="#2f2517"/></g>`).join('')}
    <polygon points="${v ? '470,618 560,622 548,656 462,656' : '640,618 760,620 772,656 655,658'}" fill="#1d150c"/><path d="M${v ? '462 620 l 60 30 l 40 -26' : '648 620 l 40 22 l 60 -18'}" stroke="#d9b88a" stroke-width="7" fill="none"/>
    <g stroke="#8e979b" stroke-width="20" stroke-linecap="round" fill="none"><path d="M330 840 V 470 Q 330 430 372 420 L 470 380"/></g>
    <path d="M900 700 q 20 -120 -10 -180 q 60 60 50 180 M960 700 q 0 -90 40 -140 q -6 70 0 140" fill="#4e6f35"/><ellipse cx="640" cy="880" rx="420" ry="34" fill="#000" opacity=".2" filter="url(#little)"/>`,
    ),
  'main-gate': (v) =>
    createSvg(
      softFilter +
        createGradient('sky', '#8fbadf', '#e8eff2') +
        createTexture('grass', '0.3 0.6', 4, [0.2, 0.35, 0.13], [0.44, 0.58, 0.25], 6) +
        createTexture('tar', '0.5 0.7', 3, [0.3, 0.3, 0.31], [0.5, 0.5, 0.5], 18 + v) +
        createTexture('hedge', '0.06 0.09', 4, [0.1, 0.22, 0.08], [0.32, 0.46, 0.2], 2) +
        createGradient('van', '#fafafa', '#c6cbd0'),
      `${drawSky(false)}${drawHills()}<rect y="380" width="${W}" height="90" fill="#2f4a22"/><rect y="376" width="${W}" height="94" filter="url(#hedge)"/><rect y="466" width="${W}" height="494" fill="#4f7331"/><rect y="466" width="${W}" height="494" filter="url(#grass)"/>
    <polygon points="430,470 850,470 1400,960 -120,960" fill="#565859"/><polygon points="430,470 850,470 1400,960 -120,960" filter="url(#tar)"/>${repeatDrawing(5, (i) => `<polygon points="${634 - i * 3},${500 + i * 92} ${646 + i * 3},${500 + i * 92} ${650 + i * 4},${548 + i * 92} ${630 - i * 4},${548 + i * 92}" fill="#e8e6dd"/>`)}
    <g transform="translate(${v ? 20 : 170} 0)"><ellipse cx="560" cy="742" rx="250" ry="22" fill="#000" opacity=".4"/><rect x="330" y="370" width="460" height="320" rx="26" fill="url(#van)"/><rect x="352" y="400" width="196" height="130" rx="8" fill="#2c3a42"/><rect x="570" y="400" width="196" height="130" rx="8" fill="#32434c"/><rect x="556" y="380" width="6" height="300" fill="#9aa1a6"/><rect x="330" y="640" width="460" height="50" rx="10" fill="#3a3f42"/><rect x="340" y="560" width="34" height="70" rx="6" fill="#c1261c"/><rect x="746" y="560" width="34" height="70" rx="6" fill="#c1261c"/><rect x="500" y="590" width="120" height="32" fill="#f2d13a"/><text x="560" y="614" font-family="Arial" font-weight="bold" font-size="24" text-anchor="middle" fill="#111">CX19 DRL</text><rect x="360" y="690" width="80" height="60" rx="12" fill="#161616"/><rect x="680" y="690" width="80" height="60" rx="12" fill="#161616"/></g>
    <rect x="60" y="420" width="190" height="330" fill="#e5dfce"/><polygon points="40,430 155,350 270,430" fill="#7b3b2e"/><rect x="100" y="480" width="110" height="100" fill="#3f5a67"/><rect x="244" y="520" width="50" height="240" fill="#e0b400"/>${repeatDrawing(9, (i) => `<polygon points="${270 + i * 112},${540 - i * 8} ${382 + i * 112},${532 - i * 8} ${382 + i * 112},${558 - i * 8} ${270 + i * 112},${566 - i * 8}" fill="${i % 2 ? '#fff' : '#c8251b'}"/>`)}`,
    ),
};

for (const [name, scene] of Object.entries(scenes))
  for (const v of [0, 1]) {
    seed = 7 + v * 31 + name.length;
    const scenePng = await sharp(Buffer.from(scene(v)))
      .png()
      .toBuffer();
    const grain = await sharp({
      create: {
        width: W,
        height: H,
        channels: 3,
        background: '#808080',
        noise: { type: 'gaussian', mean: 128, sigma: 15 },
      },
    })
      .png()
      .toBuffer();
    const vignette = Buffer.from(
      `<svg xmlns="http://www.w3.org/2000/svg" width="${W}" height="${H}"><defs><radialGradient id="g" cx=".${v ? 42 : 55}" cy=".45" r=".8"><stop offset=".5" stop-color="#fff" stop-opacity="0"/><stop offset="1" stop-color="#000" stop-opacity=".5"/></radialGradient><linearGradient id="l" x1="${v}" x2="${1 - v}" y2="1"><stop offset="0" stop-color="#fff1cf" stop-opacity=".32"/><stop offset=".6" stop-color="#fff1cf" stop-opacity="0"/></linearGradient></defs><rect width="100%" height="100%" fill="url(#l)"/><rect width="100%" height="100%" fill="url(#g)"/></svg>`,
    );
    await sharp(scenePng)
      .blur(1.1)
      .composite([{ input: vignette }, { input: grain, blend: 'soft-light' }])
      .modulate({ saturation: 0.88, brightness: v ? 0.95 : 1 })
      .jpeg({ quality: 72 })
      .toFile(join(root, 'fixtures/demo', `${name}-${v + 1}.jpg`));
  }
