import { handleJobs } from '../workers/child.ts';
import { createDraw } from './draw.ts';

handleJobs(createDraw());
