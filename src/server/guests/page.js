// Makes the photo small before it is sent. Without it the form works all the same.
const form = document.forms[0];
const button = form.querySelector('button');
const send = button.textContent;
let whenReady = Promise.resolve();
let isChangingLanguage = false;

async function shrink(input) {
  const [file] = input.files;
  if (!file) return;
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
