// Makes the photo small before it is sent. Without it the form works all the same.
const form = document.forms[0];
const button = form.querySelector('button');
const send = button.textContent;
let whenReady = Promise.resolve();
let isChangingLanguage = false;

// Whether the end of a JPEG is missing, as in src/shared/cut-off.ts. It is sent as it is, so that the server sees it.
function isCutOff(bytes) {
  let at = 2;
  while (bytes[0] === 0xff && bytes[at] === 0xff && bytes[at + 1] !== 0xda)
    at += 2 + bytes[at + 2] * 256 + bytes[at + 3];
  if (bytes[at] !== 0xff || bytes[at + 1] !== 0xda) return false;
  for (at = bytes.indexOf(0xff, at + 2); at !== -1; at = bytes.indexOf(0xff, at + 1))
    if (bytes[at + 1] === 0xd9) return false;
  return true;
}

async function shrink(input) {
  const [file] = input.files;
  if (!file || isCutOff(new Uint8Array(await file.arrayBuffer()))) return;
  const image = new Image();
  image.src = URL.createObjectURL(file);
  await image.decode();
  const scale = Math.min(1, 1280 / Math.max(image.naturalWidth, image.naturalHeight));
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, image.naturalWidth * scale);
  canvas.height = Math.max(1, image.naturalHeight * scale);
  canvas.getContext('2d').drawImage(image, 0, 0, canvas.width, canvas.height);
  URL.revokeObjectURL(image.src);
  for (const quality of [0.8, 0.6, 0.4, 0.2]) {
    const photo = await new Promise((resolve) => canvas.toBlob(resolve, 'image/jpeg', quality));
    if (photo.size > 400_000) continue;
    const files = new DataTransfer();
    files.items.add(new File([photo], 'photo.jpg', { type: 'image/jpeg' }));
    input.files = files.files;
    return;
  }
}

form.elements.photo.addEventListener('change', ({ target }) => {
  // A photo that cannot be made small is sent as it is.
  whenReady = shrink(target).catch(() => {});
});
// A pasted image is the photo, unless it is a picture of text.
document.addEventListener('paste', (event) => {
  const { files, types } = event.clipboardData;
  if (files.length === 0 || types.includes('text/plain')) return;
  event.preventDefault();
  const pasted = new DataTransfer();
  pasted.items.add(files[0]);
  form.elements.photo.files = pasted.files;
  form.elements.photo.dispatchEvent(new Event('change'));
});
document.querySelector('[formaction]').addEventListener('click', () => {
  isChangingLanguage = true;
});
form.addEventListener('submit', async (event) => {
  if (isChangingLanguage) {
    isChangingLanguage = false;
    return;
  }
  event.preventDefault();
  button.textContent = button.dataset.sending;
  await whenReady;
  form.submit();
});
// After Back, too.
addEventListener('pageshow', () => {
  button.textContent = send;
});
