import { answer } from '../workers/child.ts';
import { createDraw } from './draw.ts';

answer(createDraw());
