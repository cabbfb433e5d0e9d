import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createImageProcessor, type ImageProcessor } from '../files/image-processor.ts';
import { openTemporaryFiles, type TemporaryFiles } from '../files/temporary-files.ts';

export const openTestTemporaryFiles = async (): Promise<TemporaryFiles> =>
  openTemporaryFiles(await mkdtemp(join(tmpdir(), 'images-')));

/** Creates an image processor with its own temporary folder. */
export const createTestImageProcessor = async (): Promise<ImageProcessor> =>
  createImageProcessor(await openTestTemporaryFiles());
